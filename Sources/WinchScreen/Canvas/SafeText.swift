/// Text that is safe to draw: whatever its source, it contains nothing that controls the terminal, and its width is
/// known.
///
/// Control characters, ESC, bidi overrides, zero-width and lone combining characters become a visible replacement;
/// flags become letters; emoji that are joined into one picture are shown side by side. In ASCII any other character
/// becomes its nearest ASCII character, or `?`.
package struct SafeText: Hashable, Sendable {
    let glyphs: [CellCharacter]
    package let columns: Int
    let isASCII: Bool

    /// - Parameters:
    ///   - text: at most the first 4,096 scalars are used: no line is longer, and a server may send megabytes.
    ///   - letters: letters that are kept even if `isASCII`.
    package init(_ text: some StringProtocol, isASCII: Bool = false, letters: Set<Unicode.Scalar> = []) {
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
        _ scalar: Unicode.Scalar, to glyphs: inout [CellCharacter], isASCII: Bool, letters: Set<Unicode.Scalar>
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
        case .blank: glyphs.append(.blank)
        case .flagLetter(let letter): glyphs.append(CellCharacter(letter))
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
        case .unprintable: glyphs.append(replacement)
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

extension SafeText {
    /// Where the ellipsis goes when text is too long.
    enum Cut: Sendable {
        /// `some words th…`
        case end
        /// `very-long-na….tar.gz`: the file extension stays readable.
        case beforeExtension
        /// `…/2024/isos/`: the end of a folder tells more than its beginning.
        case start
    }

    /// The text cut to at most `width` columns, with an ellipsis (`~` in ASCII) where it was cut.
    func fitted(_ width: Int, cut: Cut = .end) -> SafeText {
        guard columns > width else { return self }
        guard width > 0 else { return SafeText([], isASCII: isASCII) }
        let ellipsis = CellCharacter(UnicodeAndASCIISymbols(isASCII: isASCII).ellipsis)
        if cut == .start { return SafeText([ellipsis] + suffix(width - 1), isASCII: isASCII) }
        let tail = cut == .end ? glyphs.suffix(0) : glyphs.suffix(extensionLength)
        let tailColumns = tail.reduce(0) { $0 + $1.columns }
        // The extension is kept only if at least a third of the width is left for the rest of the name.
        guard tailColumns > 0, (width - 1 - tailColumns) * 3 >= width else {
            return SafeText(prefix(width - 1) + [ellipsis], isASCII: isASCII)
        }
        return SafeText(prefix(width - 1 - tailColumns) + [ellipsis] + tail, isASCII: isASCII)
    }

    /// The glyphs that fit into `width` columns, none cut in half.
    func prefix(_ width: Int) -> ArraySlice<CellCharacter> {
        var used = 0
        let end = glyphs.firstIndex { glyph in
            used += glyph.columns
            return used > width
        }
        return glyphs[..<(end ?? glyphs.endIndex)]
    }

    /// The last glyphs that fit into `width` columns, none cut in half.
    private func suffix(_ width: Int) -> ArraySlice<CellCharacter> {
        var used = 0
        let last = glyphs.lastIndex { glyph in
            used += glyph.columns
            return used > width
        }
        return glyphs[(last.map { $0 + 1 } ?? glyphs.startIndex)...]
    }

    /// Number of glyphs of an extension such as `.iso` or `.tar.gz`, with its dots; 0 for none.
    private var extensionLength: Int {
        guard let point = glyphs.lastIndex(where: { $0.character == "." }), point > 0 else { return 0 }
        let length = glyphs.count - point
        guard (2...Self.longestExtension).contains(length) else { return 0 }
        let before = glyphs[..<point].suffix(4)
        return before.count == 4 && before.map(\.character) == [".", "t", "a", "r"] && point > 4 ? length + 4 : length
    }

    /// 9, as in `.download`: a longer ending is taken for words after a full stop, not for an extension.
    private static let longestExtension = 9
}

extension SafeText {
    /// The text in lines of at most `width` columns, broken at blanks if possible, else within words. The last of
    /// `most` lines ends with an ellipsis if text is missing.
    func wrapped(_ width: Int, most: Int) -> [SafeText] {
        guard width > 0, most > 0 else { return [] }
        var lines: [SafeText] = []
        var rest = glyphs[...]
        repeat {
            let whole = SafeText(rest, isASCII: isASCII)
            if whole.columns <= width || lines.count == most - 1 { return lines + [whole.fitted(width)] }
            // At least one character is taken, even one too wide for the line; otherwise the loop would not end.
            let fitting = max(1, whole.prefix(width).count)
            let end = Self.lineEnd(in: rest, upTo: fitting)
            lines.append(SafeText(rest[..<end], isASCII: isASCII))
            rest = rest[end...].drop { $0 == .blank }
        } while !rest.isEmpty
        return lines
    }

    /// The last blank that leaves no more than a third of the line empty, else where the line is full.
    private static func lineEnd(in glyphs: ArraySlice<CellCharacter>, upTo count: Int) -> Int {
        let full = glyphs.startIndex + count
        let earliest = glyphs.startIndex + count * 2 / 3
        return glyphs[earliest..<min(full + 1, glyphs.endIndex)].lastIndex(of: .blank) ?? full
    }
}

extension SafeText {
    /// The text cut to at most `width` columns.
    ///
    /// - Parameter keepsExtension: the text is cut before its file extension, so that this stays readable.
    package func cut(to width: Int, keepsExtension: Bool = false) -> String {
        let glyphs = fitted(width, cut: keepsExtension ? .beforeExtension : .end).glyphs
        return String(String.UnicodeScalarView(glyphs.flatMap(\.character.unicodeScalars)))
    }

    /// The text cut or padded with blanks to exactly `width` columns.
    package func filled(to width: Int, keepsExtension: Bool = false, isRight: Bool = false) -> String {
        let shown = cut(to: width, keepsExtension: keepsExtension)
        let missing = width - fitted(width, cut: keepsExtension ? .beforeExtension : .end).columns
        let room = String(repeating: " ", count: max(0, missing))
        return isRight ? room + shown : shown + room
    }
}
