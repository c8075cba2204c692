/// A character that a cell can show: a printable base with its combining marks, and the columns it takes.
struct CellCharacter: Hashable, Sendable {
    let content: CellText
    /// 1 or 2.
    let columns: Int

    var character: Character { content.character ?? " " }

    /// - Parameter columns: the width of the base by `ScalarWidth`. The caller has checked the character.
    init(_ character: Character, columns: Int = 1) {
        self.init(CellText(character), columns: columns)
    }

    init(_ content: CellText, columns: Int = 1) {
        self.content = content
        self.columns = columns
    }

    /// The glyph that a cell may hold, or `nil` for anything that is not exactly one printable base with marks.
    init?(checking character: Character) {
        var scalars = character.unicodeScalars.makeIterator()
        guard let base = scalars.next(), case .spacing(let columns) = ScalarWidth(base) else { return nil }
        while let scalar = scalars.next() {
            guard case .mark = ScalarWidth(scalar) else { return nil }
        }
        self.init(character, columns: columns)
    }

    static let blank = CellCharacter(" ")

    /// Most text is printable ASCII: its glyphs are made once.
    static func ascii(_ scalar: Unicode.Scalar) -> CellCharacter? {
        scalar.value >= 0x20 && scalar.value < 0x7F ? printable[Int(scalar.value) - 0x20] : nil
    }

    private static let printable = (UInt8(0x20)..<0x7F).map { CellCharacter(Character(Unicode.Scalar($0))) }

    /// The glyph with one more combining mark. Unchanged if the mark does not combine, or if there are `mostMarks`
    /// already; ncurses stores at most four in a cell.
    func adding(_ mark: Unicode.Scalar) -> CellCharacter {
        guard character.unicodeScalars.count <= Self.mostMarks else { return self }
        var text = String(character)
        text.unicodeScalars.append(mark)
        guard let joined = text.first, joined.unicodeScalars.count == text.unicodeScalars.count else { return self }
        return CellCharacter(joined, columns: columns)
    }

    /// 3 marks: enough for every living script. More occur only in text that is made to disturb the display.
    private static let mostMarks = 3
}
