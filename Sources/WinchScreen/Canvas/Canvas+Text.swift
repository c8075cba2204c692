extension Canvas {
    /// The edge of its field to which a text is aligned.
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

    /// Changes the style of cells in one row; their text stays.
    mutating func restyle(column: Int, row: Int, columns: Int, _ change: (Style) -> Style) {
        for x in max(0, column)..<max(0, min(self.columns, column + columns)) { setStyle(x, row, change) }
    }

    /// Makes a rectangle blank, in `style`.
    mutating func clear(column: Int, row: Int, columns: Int, rows: Int = 1, style: Style = .plain) {
        for y in row..<max(row, row + rows) {
            for x in column..<max(column, column + columns) { place(.blank, style, x, y) }
        }
    }
}
