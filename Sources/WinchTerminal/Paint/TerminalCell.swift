import CTerminal

/// The content of one cell of the terminal: a base scalar, and up to four combining scalars, which take no columns.
struct TerminalCell: Hashable, Sendable {
    let base: UInt32
    /// Combining marks; nearly always none.
    let marks: [UInt32]
    /// 1 or 2.
    let columns: Int

    /// The most marks that ncurses keeps in a cell.
    static let mostMarks = 4
    static let unknown = TerminalCell(base: PlainText.replacement.value)
    static let space = TerminalCell(base: 0x20)

    private init(base: UInt32) {
        (self.base, marks, columns) = (base, [], 1)
    }

    /// - Parameters:
    ///   - room: 1 or 2, the columns that the canvas reserves for it. A character that the terminal would draw wider
    ///     is replaced, since otherwise every cell right of it would be shifted.
    ///   - width: the columns that a scalar takes on the terminal; -1 if it cannot be printed.
    init(_ character: Character, room: Int, width: (UInt32) -> Int32 = { winch_columns($0) }) {
        guard let base = character.unicodeScalars.first else {
            self = .unknown
            return
        }
        self.init(base, marks: Array(character.unicodeScalars.dropFirst()), room: room, width: width)
    }

    init(
        _ first: Unicode.Scalar, marks scalars: [Unicode.Scalar], room: Int,
        width: (UInt32) -> Int32 = { winch_columns($0) }
    ) {
        guard PlainText.isShowable(first) else {
            self = .unknown
            return
        }
        let columns = first.value < 0x7F ? 1 : Int(width(first.value))
        guard columns > 0, columns <= room else {
            self = .unknown
            return
        }
        var marks: [UInt32] = []
        // Joiners and variation selectors change the base's glyph, and the width of the result is unknown: the
        // character is cut before them.
        for mark in scalars.prefix(Self.mostMarks) {
            guard Self.isMark(mark), width(mark.value) == 0 else { break }
            marks.append(mark.value)
        }
        (self.base, self.marks, self.columns) = (first.value, marks, columns)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        // The caller tests the width instead of the category: the second half of a Korean syllable is a letter.
        PlainText.isShowable(scalar) && scalar.properties.generalCategory != .format
            && !scalar.properties.isVariationSelector
    }
}
