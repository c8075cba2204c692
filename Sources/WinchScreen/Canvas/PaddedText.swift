/// Text for a column of a printed table: made safe like `SafeText`, cut and padded to a width.
package struct PaddedText: Hashable, Sendable {
    private let text: SafeText

    /// - Parameter isASCII: the terminal can show ASCII only.
    package init(_ text: some StringProtocol, isASCII: Bool) {
        self.text = SafeText(text, isASCII: isASCII)
    }

    /// The columns that the whole text takes.
    package var columns: Int { text.columns }

    /// The text cut to at most `width` columns.
    ///
    /// - Parameter keepsExtension: the text is cut before its file extension, so that this stays readable.
    package func cut(to width: Int, keepsExtension: Bool = false) -> String {
        String(String.UnicodeScalarView(fitted(width, keepsExtension).glyphs.flatMap(\.character.unicodeScalars)))
    }

    /// The text cut or padded with blanks to exactly `width` columns.
    package func filled(to width: Int, keepsExtension: Bool = false, isRight: Bool = false) -> String {
        let room = String(repeating: " ", count: max(0, width - fitted(width, keepsExtension).columns))
        let shown = cut(to: width, keepsExtension: keepsExtension)
        return isRight ? room + shown : shown + room
    }

    private func fitted(_ width: Int, _ keepsExtension: Bool) -> SafeText {
        text.fitted(width, cut: keepsExtension ? .beforeExtension : .end)
    }
}
