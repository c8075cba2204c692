import CTerminal

/// What is put into one cell of the terminal: a scalar that takes its columns and up to four that take none.
struct Glyph: Hashable, Sendable {
    let base: UInt32
    /// Combining marks; nearly always none.
    let marks: [UInt32]
    /// 1 or 2.
    let columns: Int

    /// The most marks that ncurses keeps in a cell.
    static let mostMarks = 4
    static let unknown = Glyph(base: PlainText.replacement.value)
    static let space = Glyph(base: 0x20)

    private init(base: UInt32) {
        (self.base, marks, columns) = (base, [], 1)
    }

    /// - Parameters:
    ///   - room: 1 or 2, the columns that the canvas has kept for it. A character that the terminal would draw wider
    ///     is replaced, or every cell right of it would be off by one.
    ///   - width: how many columns the terminal gives a scalar; -1 for what it cannot print.
    init(_ character: Character, room: Int, width: (UInt32) -> Int32 = { winch_columns($0) }) {
        var scalars = character.unicodeScalars.makeIterator()
        guard let first = scalars.next(), PlainText.isShowable(first) else {
            self = .unknown
            return
        }
        let columns = first.value < 0x7F ? 1 : Int(width(first.value))
        guard columns > 0, columns <= room else {
            self = .unknown
            return
        }
        var marks: [UInt32] = []
        // Joiners and variants ask for another picture than the base's, of a width that nobody knows: they end it.
        while marks.count < Self.mostMarks, let mark = scalars.next(), Self.isMark(mark), width(mark.value) == 0 {
            marks.append(mark.value)
        }
        (self.base, self.marks, self.columns) = (first.value, marks, columns)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // By width, not by category: the second half of a Korean syllable is a letter.
        PlainText.isShowable(scalar) && scalar.properties.generalCategory != .format
            && !scalar.properties.isVariationSelector
    }
}
