extension SafeText {
    /// Where the ellipsis goes when text is too long.
    enum Cut: Sendable {
        /// `some words th…`
        case end
        /// `very-long-na….tar.gz`: a file's kind stays readable.
        case beforeExtension
    }

    /// At most `width` columns of it, with an ellipsis (`~` in ASCII) where something is missing.
    func fitted(_ width: Int, cut: Cut = .end) -> SafeText {
        guard columns > width else { return self }
        guard width > 0 else { return SafeText([], isASCII: isASCII) }
        let ellipsis = Glyph(Symbols(isASCII: isASCII).ellipsis)
        let tail = cut == .end ? glyphs.suffix(0) : glyphs.suffix(extensionLength)
        let tailColumns = tail.reduce(0) { $0 + $1.columns }
        // An extension that would leave less than a third for the name itself is no help.
        guard tailColumns > 0, (width - 1 - tailColumns) * 3 >= width else {
            return SafeText(prefix(width - 1) + [ellipsis], isASCII: isASCII)
        }
        return SafeText(prefix(width - 1 - tailColumns) + [ellipsis] + tail, isASCII: isASCII)
    }

    /// The glyphs that fit into `width` columns, none cut in half.
    func prefix(_ width: Int) -> ArraySlice<Glyph> {
        var used = 0
        let end = glyphs.firstIndex { glyph in
            used += glyph.columns
            return used > width
        }
        return glyphs[..<(end ?? glyphs.endIndex)]
    }

    /// Glyphs of `.iso` or `.tar.gz` at the end, the point included; 0 for none.
    private var extensionLength: Int {
        guard let point = glyphs.lastIndex(where: { $0.character == "." }), point > 0 else { return 0 }
        let length = glyphs.count - point
        guard (2...Self.longestExtension).contains(length) else { return 0 }
        let before = glyphs[..<point].suffix(4)
        return before.count == 4 && before.map(\.character) == [".", "t", "a", "r"] && point > 4 ? length + 4 : length
    }

    /// `.torrent` and `.download` are known; what is longer is a sentence with a point in it.
    private static let longestExtension = 9
}
