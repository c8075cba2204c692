/// The keys of a panel, in a box over it.
struct PanelKeysBox {
    let keys: PanelKeys
    let look: Appearance

    func draw(on canvas: inout Canvas, above footer: Int) {
        let lines = keys.lines(isASCII: look.isASCII)
        let keyWidth = (lines.map { look.text($0.keys).columns }.max() ?? 0) + 2
        let wordsWidth = lines.map { look.text($0.words).columns }.max() ?? 0
        let width = min(canvas.columns, keyWidth + wordsWidth + 4)
        let rows = min(lines.count, footer - 2)
        guard rows > 0, width > 8 else { return }
        let (column, top) = ((canvas.columns - width) / 2, max(0, (footer - rows - 2) / 2))
        canvas.mark(nil, column: 0, row: 0, columns: canvas.columns, rows: footer)
        PanelBox(look: look, column: column, row: top, columns: width, rows: rows + 2)
            .draw(on: &canvas, title: [Run(look.text(keys.title), look.theme.title)])
        for (offset, line) in lines.prefix(rows).enumerated() {
            let row = top + 1 + offset
            canvas.write(look.text(line.keys), look.theme.key, column: column + 2, row: row, width: width - 4)
            canvas.write(
                look.text(line.words), look.theme.text, column: column + 2 + keyWidth, row: row,
                width: width - 4 - keyWidth)
        }
    }
}
