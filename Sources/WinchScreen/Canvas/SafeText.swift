/// Text that is safe to draw: whatever its source, it contains nothing that controls the terminal, and its width is
/// known.
///
/// Control characters, ESC, bidi overrides, zero-width and lone combining characters become a visible replacement;
/// flags become letters; emoji that are joined into one picture are shown side by side. In ASCII any other character
/// becomes its nearest ASCII character, or `?`.
struct SafeText: Hashable, Sendable {
    let glyphs: [Glyph]
    /// Columns of all glyphs together.
    let columns: Int
    let isASCII: Bool

    /// - Parameters:
    ///   - text: at most the first 4,096 scalars are used: no line is longer, and a server may send megabytes.
    ///   - letters: letters that are kept even if `isASCII`.
    init(_ text: some StringProtocol, isASCII: Bool = false, letters: ExtraCharacters = .none) {
        var glyphs: [Glyph] = []
        glyphs.reserveCapacity(min(text.utf8.count, Self.longest))
        for scalar in text.unicodeScalars.prefix(Self.longest) {
            if let glyph = Glyph.ascii(scalar) {
                glyphs.append(glyph)
            } else {
                Self.append(scalar, to: &glyphs, isASCII: isASCII, letters: letters)
            }
        }
        self.init(glyphs, isASCII: isASCII)
    }

    init(_ glyphs: some Sequence<Glyph>, isASCII: Bool) {
        self.glyphs = Array(glyphs)
        self.isASCII = isASCII
        columns = self.glyphs.reduce(0) { $0 + $1.columns }
    }

    private static let longest = 4096

    private static func append(
        _ scalar: Unicode.Scalar, to glyphs: inout [Glyph], isASCII: Bool, letters: ExtraCharacters
    ) {
        let symbols = ScreenSymbols(isASCII: isASCII)
        let replacement = Glyph(symbols.replacement)
        switch ScalarShape(scalar) {
        case .spacing(let columns):
            let isShown = !isASCII || scalar.isASCII || (columns == 1 && letters.contains(scalar))
            glyphs.append(
                isShown
                    ? Glyph(Character(scalar), columns: columns) : scalar.asciiFallback.map { Glyph($0) } ?? replacement
            )
        case .blank:
            glyphs.append(.blank)
        case .flagLetter(let letter):
            glyphs.append(Glyph(letter))
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
            glyphs.append(columns > 0 && !isASCII ? Glyph(Character(scalar), columns: columns) : replacement)
        case .unprintable:
            glyphs.append(replacement)
        }
    }
}

extension Glyph {
    /// An emoji. Digits and other ASCII characters are not, although they can become one by a selector.
    fileprivate var isEmoji: Bool {
        guard let base = character.unicodeScalars.first, !base.isASCII else { return false }
        return base.properties.isEmoji
    }
}
