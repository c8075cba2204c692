@testable import WinchModel
@testable import WinchScreen

/// Checks what the screen shows after each event.
extension RandomUser {
    /// The first error in the list or the canvas, or `nil`.
    ///
    /// - Parameter withHits: every cell is clicked as well.
    func fault(withHits: Bool) -> String? {
        if let fault = listFault() { return fault }
        let canvas = sitting.canvas
        guard canvas == sitting.canvas else { return "drawn twice, drawn differently" }
        guard canvas.columns == sitting.dashboard.columns, canvas.rows == sitting.dashboard.rows else { return "size" }
        for row in 0..<canvas.rows {
            let line = Array(canvas.line(row))
            guard line.count == canvas.columns else { return "width of line \(row)" }
            for (column, cell) in line.enumerated() {
                guard let character = cell.text else {
                    let left = column > 0 ? line[column - 1].text.flatMap(CellCharacter.init(checking:)) : nil
                    if left?.columns != 2 { return "half a character at \(column),\(row)" }
                    continue
                }
                guard let glyph = CellCharacter(checking: character) else { return "unsafe cell at \(column),\(row)" }
                if glyph.columns == 2, column + 1 >= line.count || line[column + 1].text != nil {
                    return "cut character at \(column),\(row)"
                }
                if sitting.dashboard.look.isASCII, !character.isASCII { return "not ASCII at \(column),\(row)" }
            }
        }
        if let cursor = canvas.cursor, canvas.columns > 0, canvas.rows > 0 {
            guard (0..<canvas.columns).contains(cursor.column), (0..<canvas.rows).contains(cursor.row) else {
                return "cursor at \(cursor)"
            }
        }
        if withHits, let fault = hitFault(canvas) { return fault }
        if let next = sitting.dashboard.nextFrame(board: sitting.board, after: sitting.now), next <= sitting.now {
            return "frame in the past"
        }
        return nil
    }

    /// Every click target lies inside the window and exists.
    private func hitFault(_ canvas: Canvas) -> String? {
        for row in -1...canvas.rows {
            for column in -1...canvas.columns {
                guard let target = canvas.hits.target(column: column, row: row) else { continue }
                guard (0..<canvas.columns).contains(column), (0..<canvas.rows).contains(row) else {
                    return "\(target) at \(column),\(row), outside"
                }
                if case .row(let id) = target, !sitting.dashboard.list.order.contains(id) {
                    return "\(target) at \(column),\(row) is not in the list"
                }
            }
        }
        return nil
    }

    /// Compares the list's flags and rows with those that the board implies.
    private func listFault() -> String? {
        let (list, board) = (sitting.dashboard.list, sitting.board)
        let known = board.order.filter { board[$0] != nil }
        let shown = list.order.filter { list.folder($0, board.totals) == nil }
        guard Set(list.order).count == list.order.count else { return "a row twice in the list" }
        if list.isWhole, list.tree == nil, list.order.count != known.count, list.order != board.order {
            return "rows lost"
        }
        if let tree = list.tree, tree.count != known.count { return "rows lost in folders" }
        let filter = RowFilter(list.filterText)
        if shown.contains(where: { id in
            board[id].map { !list.view.contains($0.phase) || !filter.matches($0) } ?? !list.isWhole
        }) {
            return "a row that does not belong"
        }
        if let tag = sitting.dashboard.tags.first(where: { board[$0] == nil && !board.order.contains($0) }) {
            return "\(tag) is tagged and gone"
        }
        if !list.order.isEmpty, sitting.dashboard.layout.form != .line {
            let selection = sitting.dashboard.selection
            let height = sitting.dashboard.layout.table.count
            guard (selection.top..<selection.top + height).contains(selection.index) else { return "mark out of view" }
        }
        return nil
    }
}
