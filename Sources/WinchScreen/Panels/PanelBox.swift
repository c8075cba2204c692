/// The frame and title of a panel; clears the cells that it covers.
struct PanelBox {
    let look: Appearance
    let column: Int
    let row: Int
    let columns: Int
    /// Including the two rows of the frame.
    let rows: Int

    /// - Parameters:
    ///   - title: in the upper line, left.
    ///   - note: in the upper line, right.
    func draw(on canvas: inout Canvas, title: [Run], note: [Run] = []) {
        guard columns >= 2, rows >= 2 else { return }
        let (box, style, symbols) = (look.symbols.box, look.theme.border, look.symbols)
        canvas.clear(column: column, row: row, columns: columns, rows: rows)
        canvas.mark(nil, column: column, row: row, columns: columns, rows: rows)
        let across = String(repeating: symbols.horizontal, count: columns - 2)
        canvas.write(look.text("\(box.topLeft)\(across)\(box.topRight)"), style, column: column, row: row)
        canvas.write(
            look.text("\(box.bottomLeft)\(across)\(box.bottomRight)"), style, column: column, row: row + rows - 1)
        for line in row + 1..<row + rows - 1 {
            canvas.write(look.text(String(symbols.vertical)), style, column: column, row: line)
            canvas.write(look.text(String(symbols.vertical)), style, column: column + columns - 1, row: line)
        }
        let blank = Run(look.text(" "), .plain)
        var place = column + 2
        for run in [blank] + title + [blank] {
            place = canvas.write(run.text, run.style, column: place, row: row, width: column + columns - 2 - place)
        }
        let width = note.reduce(2) { $0 + $1.text.columns }
        guard !note.isEmpty, place + width + 2 <= column + columns - 2 else { return }
        place = column + columns - 2 - width
        for run in [blank] + note + [blank] {
            place = canvas.write(run.text, run.style, column: place, row: row)
        }
    }
}
