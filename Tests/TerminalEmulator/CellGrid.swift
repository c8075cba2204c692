import CTerminal
import Glibc

/// The cells of a terminal's window.
package struct CellGrid: Equatable, Sendable {
    package struct Cell: Equatable, Sendable {
        /// Empty in the second column of a wide character.
        package var text = " "
        package var pen = TerminalPen()
        package var isLineDrawing = false

        /// The text colour of a blank is invisible, unless the blank is underlined or reversed.
        func looks(like other: Cell) -> Bool {
            guard text == " ", other.text == " ", pen.attributes.isDisjoint(with: [4, 7]),
                other.pen.attributes.isDisjoint(with: [4, 7])
            else { return self == other }
            return pen.background == other.pen.background
        }
    }

    package private(set) var size: WindowSize
    private var cells: [[Cell]]

    init(_ size: WindowSize) {
        self.size = size
        cells = Array(repeating: Array(repeating: Cell(), count: size.columns), count: size.rows)
    }

    package internal(set) subscript(column: Int, row: Int) -> Cell {
        get { cells[row][column] }
        set {
            release(column, row)
            cells[row][column] = newValue
        }
    }

    /// Replacing one half of a wide character turns the other half into a blank.
    private mutating func release(_ column: Int, _ row: Int) {
        if cells[row][column].text.isEmpty, column > 0 { cells[row][column - 1].text = " " }
        if column + 1 < size.columns, cells[row][column + 1].text.isEmpty { cells[row][column + 1].text = " " }
    }

    /// Makes a cell the second column of the wide character before it.
    mutating func cut(_ column: Int, _ row: Int) { cells[row][column].text = "" }

    /// Appends a combining mark to a cell's character.
    mutating func add(_ mark: Unicode.Scalar, _ column: Int, _ row: Int) {
        cells[row][column].text.unicodeScalars.append(mark)
    }

    mutating func resize(to new: WindowSize) {
        var grid = CellGrid(new)
        for row in 0..<min(size.rows, new.rows) {
            for column in 0..<min(size.columns, new.columns) { grid.cells[row][column] = cells[row][column] }
        }
        self = grid
    }

    mutating func erase(_ columns: Range<Int>, row: Int, pen: TerminalPen) {
        for column in columns.clamped(to: 0..<size.columns) {
            // A terminal erases with the background colour alone, not with the pen's other attributes.
            self[column, row] = Cell(pen: TerminalPen(background: pen.background))
        }
    }

    /// Moves rows up and adds blank ones at the end of the range; down for a negative count.
    mutating func scroll(_ rows: Range<Int>, by count: Int, pen: TerminalPen) {
        guard !rows.isEmpty else { return }
        let before = cells
        for row in rows {
            if rows.contains(row + count) {
                cells[row] = before[row + count]
            } else {
                erase(0..<size.columns, row: row, pen: pen)
            }
        }
    }

    /// Moves the cells from a column on to the left; to the right for a negative count.
    mutating func shift(_ row: Int, from start: Int, by count: Int, pen: TerminalPen) {
        let before = cells[row]
        let blank = Cell(pen: TerminalPen(background: pen.background))
        for column in start..<size.columns {
            let source = column + count
            cells[row][column] = source >= start && source < size.columns ? before[source] : blank
        }
        // Halves of wide characters that were separated from the other half.
        for column in 0..<size.columns where cells[row][column].text.isEmpty {
            if column == 0 || cells[row][column - 1].text.isEmpty { cells[row][column].text = " " }
        }
    }

    /// One line of text for each row, blanks at the end cut.
    package var lines: [String] {
        cells.map { row in
            var line = row.map(\.text).joined()[...]
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    /// Cells that look different.
    package func differences(from other: CellGrid) -> [(column: Int, row: Int)] {
        guard size == other.size else { return [(0, 0)] }
        return (0..<size.rows).flatMap { row in
            (0..<size.columns).filter { !cells[row][$0].looks(like: other.cells[row][$0]) }.map { ($0, row) }
        }
    }
}

/// Cells of a terminal's window.
package struct WindowSize: Equatable, Sendable, CustomStringConvertible {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    package var description: String { "\(columns)x\(rows)" }

    /// The smallest size that contains both.
    func union(_ other: WindowSize) -> WindowSize {
        WindowSize(columns: max(columns, other.columns), rows: max(rows, other.rows))
    }
}

/// Columns of a character by the C library, which ncurses uses to place characters.
package enum CharacterWidth {
    private static let isReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

    @Sendable package static func columns(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x7F else { return 1 }
        return isReady ? max(0, Int(winch_columns(scalar.value))) : 1
    }
}
