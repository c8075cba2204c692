import WinchCore

/// The heading and the rows in view.
struct TableView {
    let frame: Frame

    func draw(on canvas: inout Canvas, layout: ScreenLayout) {
        let columns = ColumnLayout.fitting(frame.state.tableColumns)
        drawHeading(on: &canvas, row: layout.heading, columns: columns)
        drawPosition(on: &canvas, row: layout.heading, columns: columns)
        guard !frame.board.order.isEmpty else {
            drawEmpty(on: &canvas, layout: layout)
            return
        }
        for (row, id) in zip(layout.table, frame.state.visible(frame.board)) {
            guard let transfer = frame.board[id] else { continue }
            RowLine(frame: frame, transfer: transfer).draw(on: &canvas, row: row, columns: columns)
        }
    }

    private func drawHeading(on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        let (margin, style) = (frame.state.layout.margin, frame.theme.heading)
        canvas.clear(column: margin, row: row, columns: frame.state.tableColumns - 2 * margin, style: style)
        for field in columns.fields {
            canvas.write(
                frame.look.text(field.column.heading), style, column: field.start, row: row,
                width: field.width, align: field.column.alignment)
        }
    }

    /// `12/10000` above the names, when not all rows are in view and there is room.
    private func drawPosition(on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        let count = frame.board.order.count
        guard count > frame.state.layout.table.count, let name = columns[.name] else { return }
        let text = frame.look.text("\(frame.state.selection.index + 1)/\(count)")
        guard text.columns + name.column.heading.count < name.width else { return }
        canvas.write(text, frame.theme.heading, column: name.end - text.columns, row: row)
    }

    private func drawEmpty(on canvas: inout Canvas, layout: ScreenLayout) {
        let words = frame.look.text("Nothing to haul yet. Press a to add a URL.")
        let column = max(0, (frame.state.tableColumns - words.columns) / 2)
        canvas.write(words, frame.theme.quiet, column: column, row: layout.table.lowerBound + layout.table.count / 3)
    }
}
