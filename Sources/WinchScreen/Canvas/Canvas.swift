/// One cell of the screen: a character with its combining marks, and how it looks.
public struct Cell: Hashable, Sendable {
    /// One grapheme of one or two columns; empty in the second column of a wide one. Never a control character.
    public var text: Character?
    public var style: Style

    public init(_ text: Character?, _ style: Style = .plain) {
        self.text = text
        self.style = style
    }

    public static let blank = Cell(" ")
}

/// A grid of cells that widgets draw into and that tests compare. Drawing outside of it does nothing.
public struct Canvas: Hashable, Sendable {
    public let columns: Int
    public let rows: Int
    private var cells: [Cell]
    /// Where the terminal's cursor stands; `nil`: hidden.
    public var cursor: (column: Int, row: Int)? {
        get { cursorColumn.flatMap { column in cursorRow.map { (column, $0) } } }
        set { (cursorColumn, cursorRow) = (newValue?.column, newValue?.row) }
    }
    private var cursorColumn: Int?
    private var cursorRow: Int?

    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    public subscript(column: Int, row: Int) -> Cell {
        get { contains(column, row) ? cells[row * columns + column] : .blank }
        set { if contains(column, row) { cells[row * columns + column] = newValue } }
    }

    /// The cells of one row, left to right.
    public func line(_ row: Int) -> ArraySlice<Cell> {
        row >= 0 && row < rows ? cells[row * columns..<(row + 1) * columns] : []
    }

    private func contains(_ column: Int, _ row: Int) -> Bool {
        column >= 0 && column < columns && row >= 0 && row < rows
    }
}
