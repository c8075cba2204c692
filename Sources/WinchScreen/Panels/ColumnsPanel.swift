/// The columns to choose from, in a box at the right; the table at the left shows each change at once.
struct ColumnsPanel {
    let view: ColumnsView
    let look: Appearance

    /// Columns before the name in `> [x] percent  progress in percent`.
    private static let marks = 6
    private static let nameWidth = 9

    func draw(on canvas: inout Canvas, layout: ScreenLayout) {
        let height = max(1, min(view.columns.count, layout.panelEnd - layout.heading - 3))
        let longest = view.columns.map(\.description.count).max() ?? 0
        let width = min(canvas.columns, Self.marks + Self.nameWidth + longest + 4)
        let (column, top) = (canvas.columns - width, layout.heading + 1)
        canvas.mark(nil, column: 0, row: 0, columns: canvas.columns, rows: layout.footer)
        PanelBox(look: look, column: column, row: top, columns: width, rows: height + 2)
            .draw(
                on: &canvas, title: [Run(look.text("Columns"), look.theme.title)],
                note: [Run(look.text("\(view.index + 1)/\(view.columns.count)"), look.theme.quiet)])
        let first = min(max(0, view.index - height / 2), view.columns.count - height)
        for (offset, choice) in view.columns.dropFirst(first).prefix(height).enumerated() {
            draw(
                choice, isMarked: first + offset == view.index, on: &canvas, column: column + 2, row: top + 1 + offset,
                width: width - 4)
        }
    }

    private func draw(
        _ choice: ColumnLayout.Column, isMarked: Bool, on canvas: inout Canvas, column: Int, row: Int, width: Int
    ) {
        let isShown = view.isShown(choice)
        let style = isMarked ? look.theme.selected : isShown ? look.theme.text : look.theme.quiet
        let mark = isMarked ? String(look.symbols.selection) : " "
        canvas.write(look.text(mark), look.theme.key, column: column, row: row)
        canvas.write(look.text(isShown ? "[x]" : "[ ]"), style, column: column + 2, row: row)
        let name = column + Self.marks
        canvas.write(look.text(choice.rawValue), style, column: name, row: row, width: Self.nameWidth - 1)
        canvas.write(
            look.text(choice.description), look.theme.quiet, column: name + Self.nameWidth, row: row,
            width: width - Self.marks - Self.nameWidth)
    }
}
