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
