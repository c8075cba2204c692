import WinchModel

/// One cell of the screen: a character with its combining marks, and its style.
package struct Cell: Hashable, Sendable {
    package var content: CellText
    package var style: Style

    package init(_ text: Character?, _ style: Style = .plain) {
        self.init(content: text.map(CellText.init) ?? .nothing, style)
    }

    init(content: CellText, _ style: Style) {
        self.content = content
        self.style = style
    }

    /// One grapheme of one or two columns; empty in the second column of a wide one. Never a control character.
    package var text: Character? { content.character }

    package static let blank = Cell(" ")
}

/// A grid of cells that widgets draw into and that tests compare. Drawing outside of it does nothing.
///
/// Invariants, whatever is written: no cell contains a control character, and a character of two columns always has
/// an empty cell to its right.
package struct Canvas: Equatable, Sendable {
    package let columns: Int
    package let rows: Int
    private var cells: [Cell]
    /// Where the terminal's cursor stands; `nil`: hidden.
    package var cursor: (column: Int, row: Int)?
    /// The click targets; not compared by `==`.
    private(set) var hits = HitMap()

    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    /// Setting a wide character also sets the cell to its right; text that a cell must not contain becomes U+FFFD.
    package subscript(column: Int, row: Int) -> Cell {
        get { contains(column, row) ? cells[row * columns + column] : .blank }
        set {
            let glyph = newValue.text.map { CellCharacter(checking: $0) ?? CellCharacter("\u{FFFD}") } ?? .blank
            place(glyph, newValue.style, column, row)
        }
    }

    package func line(_ row: Int) -> ArraySlice<Cell> {
        row >= 0 && row < rows ? cells[row * columns..<(row + 1) * columns] : []
    }

    mutating func mark(_ target: HitMap.Target?, column: Int, row: Int, columns: Int, rows: Int = 1) {
        hits.mark(target, columns: column..<max(column, column + columns), rows: row..<max(row, row + rows))
    }

    package static func == (left: Canvas, right: Canvas) -> Bool {
        left.columns == right.columns && left.rows == right.rows && left.cursor?.column == right.cursor?.column
            && left.cursor?.row == right.cursor?.row && left.cells == right.cells
    }

    /// Writes a checked glyph. A wide one in the last column becomes a blank.
    mutating func place(_ glyph: CellCharacter, _ style: Style, _ column: Int, _ row: Int) {
        guard contains(column, row) else { return }
        let fits = glyph.columns == 1 || contains(column + 1, row)
        release(column, row)
        cells[row * columns + column] = Cell(content: fits ? glyph.content : .space, style)
        if glyph.columns == 2, fits {
            release(column + 1, row)
            cells[row * columns + column + 1] = Cell(content: .nothing, style)
        }
    }

    /// Blanks the other half of a wide character, before this half is overwritten.
    private mutating func release(_ column: Int, _ row: Int) {
        let index = row * columns + column
        if cells[index].content.isEmpty, column > 0 { cells[index - 1].content = .space }
        if column + 1 < columns, cells[index + 1].content.isEmpty { cells[index + 1].content = .space }
    }

    private func contains(_ column: Int, _ row: Int) -> Bool {
        column >= 0 && column < columns && row >= 0 && row < rows
    }
}

extension Canvas {
    enum Alignment: Sendable {
        case left, right
    }

    /// Writes `text` from `column` on, cut to `width` columns (or the canvas); returns the column after it.
    @discardableResult
    mutating func write(
        _ text: SafeText, _ style: Style, column: Int, row: Int, width: Int? = nil, align: Alignment = .left,
        cut: SafeText.Cut = .end
    ) -> Int {
        let width = max(0, min(width ?? columns - column, columns - column))
        let fitted = text.fitted(width, cut: cut)
        var place = align == .left ? column : column + width - fitted.columns
        for glyph in fitted.glyphs {
            self.place(glyph, style, place, row)
            place += glyph.columns
        }
        return place
    }

    /// Writes the cells of a bar. Its characters come from `UnicodeAndASCIISymbols` and take one column each, so they are not
    /// checked.
    mutating func write(_ bar: [Cell], column: Int, row: Int) {
        for (offset, cell) in bar.enumerated() {
            if !cell.content.isEmpty { place(CellCharacter(cell.content), cell.style, column + offset, row) }
        }
    }

    mutating func restyle(column: Int, row: Int, columns: Int, _ change: (Style) -> Style) {
        for x in max(0, column)..<max(0, min(self.columns, column + columns)) where contains(x, row) {
            let index = row * self.columns + x
            cells[index].style = change(cells[index].style)
        }
    }

    mutating func clear(column: Int, row: Int, columns: Int, rows: Int = 1, style: Style = .plain) {
        for y in row..<max(row, row + rows) {
            for x in column..<max(column, column + columns) { place(.blank, style, x, y) }
        }
    }
}

/// The click target of every cell. Widgets record their targets while they draw, so that picture and targets cannot
/// differ.
struct HitMap: Sendable {
    enum Target: Hashable, Sendable {
        case row(TransferID)
        /// The mark of a folder, which opens or closes it.
        case folder(TransferID)
        /// A heading of the table.
        case column(RowSort.Column)
        case view(ListTab)
        /// As if the key were pressed.
        case key(Key)
    }

    private var areas: [(columns: Range<Int>, rows: Range<Int>, target: Target?)] = []

    /// Records the target of an area; it replaces targets that were recorded earlier.
    ///
    /// - Parameter target: `nil`: the area cannot be clicked, because something without a target covers it.
    mutating func mark(_ target: Target?, columns: Range<Int>, rows: Range<Int>) {
        guard !columns.isEmpty, !rows.isEmpty else { return }
        areas.append((columns, rows, target))
    }

    /// The target that was recorded last for this cell.
    func target(column: Int, row: Int) -> Target? {
        areas.last { $0.columns.contains(column) && $0.rows.contains(row) }?.target
    }
}
