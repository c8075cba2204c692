/// Text that is safe to draw: whatever its source, it contains nothing that controls the terminal, and its width is
/// known.
///
/// Control characters, ESC, bidi overrides, zero-width and lone combining characters become a visible replacement;
/// flags become letters; emoji that are joined into one picture are shown side by side. In ASCII any other character
/// becomes its nearest ASCII character, or `?`.
struct SafeText: Hashable, Sendable {
    let glyphs: [CellCharacter]
    /// Columns of all glyphs together.
    let columns: Int
    let isASCII: Bool

    /// - Parameters:
    ///   - text: at most the first 4,096 scalars are used: no line is longer, and a server may send megabytes.
    ///   - letters: letters that are kept even if `isASCII`.
    init(_ text: some StringProtocol, isASCII: Bool = false, letters: TerminalLetters = .none) {
        var glyphs: [CellCharacter] = []
        glyphs.reserveCapacity(min(text.utf8.count, Self.longest))
        for scalar in text.unicodeScalars.prefix(Self.longest) {
            if let glyph = CellCharacter.ascii(scalar) {
                glyphs.append(glyph)
            } else {
                Self.append(scalar, to: &glyphs, isASCII: isASCII, letters: letters)
            }
        }
        self.init(glyphs, isASCII: isASCII)
    }

    init(_ glyphs: some Sequence<CellCharacter>, isASCII: Bool) {
        self.glyphs = Array(glyphs)
        self.isASCII = isASCII
        columns = self.glyphs.reduce(0) { $0 + $1.columns }
    }

    private static let longest = 4096

    private static func append(
        _ scalar: Unicode.Scalar, to glyphs: inout [CellCharacter], isASCII: Bool, letters: TerminalLetters
    ) {
        let symbols = UnicodeAndASCIISymbols(isASCII: isASCII)
        let replacement = CellCharacter(symbols.replacement)
        switch ScalarWidth(scalar) {
        case .spacing(let columns):
            let isShown = !isASCII || scalar.isASCII || (columns == 1 && letters.contains(scalar))
            glyphs.append(
                isShown
                    ? CellCharacter(Character(scalar), columns: columns)
                    : scalar.asciiFallback.map { CellCharacter($0) } ?? replacement
            )
        case .blank:
            glyphs.append(.blank)
        case .flagLetter(let letter):
            glyphs.append(CellCharacter(letter))
        case .mark:
            guard let base = glyphs.last, base.character != symbols.replacement, base != .blank else {
                glyphs.append(replacement)
                return
            }
            if !isASCII { glyphs[glyphs.count - 1] = base.adding(scalar) }
        case .variation:
            if glyphs.isEmpty { glyphs.append(replacement) }
        case .emojiPart(let columns):
            let joinsWhatCannotBeShown = isASCII && columns == 0 && glyphs.last == replacement
            if joinsWhatCannotBeShown || glyphs.last?.isEmoji ?? false { return }
            glyphs.append(columns > 0 && !isASCII ? CellCharacter(Character(scalar), columns: columns) : replacement)
        case .unprintable:
            glyphs.append(replacement)
        }
    }
}

extension CellCharacter {
    /// An emoji. Digits and other ASCII characters are not, although they can become one by a selector.
    fileprivate var isEmoji: Bool {
        guard let base = character.unicodeScalars.first, !base.isASCII else { return false }
        return base.properties.isEmoji
    }
}
