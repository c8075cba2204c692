/// Text for a column of a table that is printed rather than drawn: made safe as for cells, cut and filled to a width.
public struct TableText: Hashable, Sendable {
    private let text: SafeText

    /// - Parameter isASCII: the terminal knows nothing else.
    public init(_ text: some StringProtocol, isASCII: Bool) {
        self.text = SafeText(text, isASCII: isASCII)
    }

    /// Columns it takes uncut.
    public var columns: Int { text.columns }

    /// At most `width` columns of it.
    ///
    /// - Parameter keepsExtension: cut in the middle, so that a file's kind stays readable.
    public func cut(to width: Int, keepsExtension: Bool = false) -> String {
        String(String.UnicodeScalarView(fitted(width, keepsExtension).glyphs.flatMap(\.character.unicodeScalars)))
    }

    /// Exactly `width` columns.
    public func filled(to width: Int, keepsExtension: Bool = false, isRight: Bool = false) -> String {
        let room = String(repeating: " ", count: max(0, width - fitted(width, keepsExtension).columns))
        let shown = cut(to: width, keepsExtension: keepsExtension)
        return isRight ? room + shown : shown + room
    }

    private func fitted(_ width: Int, _ keepsExtension: Bool) -> SafeText {
        text.fitted(width, cut: keepsExtension ? .beforeExtension : .end)
    }
}
