import WinchModel

struct TransferTable {
    let frame: Frame

    func draw(on canvas: inout Canvas, layout: ScreenLayout) {
        let columns = frame.state.columnLayout
        if layout.form != .line {
            drawHeading(on: &canvas, row: layout.heading, columns: columns)
            drawPosition(on: &canvas, row: layout.heading, columns: columns)
            guard !frame.state.list.order.isEmpty else {
                drawEmpty(on: &canvas, layout: layout)
                return
            }
        }
        let visible = Array(zip(layout.table, frame.state.visible(frame.board)))
        let tree = frame.state.list.tree
        let rows = tree == nil ? visible.compactMap { frame[$0.1] } : []
        let paths = paths(of: rows, hasColumn: columns[.folder] != nil)
        for (row, id) in visible {
            canvas.mark(.row(id), column: 0, row: row, columns: canvas.columns)
            if let folder = frame.folder(id) {
                FolderRow(frame: frame, folder: folder).draw(on: &canvas, row: row, columns: columns)
            } else if let transfer = frame[id] {
                TransferRow(
                    frame: frame, transfer: transfer, path: paths[id] ?? "", level: tree?.level(ofRow: id) ?? 0
                )
                .draw(on: &canvas, row: row, columns: columns)
            }
        }
    }

    /// What stands before the names: of a folder that is listed its path from the folder on that the user named. If another row
    /// in view has the same name even so, in another folder, it is the whole path, unless a column shows it.
    private func paths(of rows: [TransferSnapshot], hasColumn: Bool) -> [TransferID: String] {
        var paths: [TransferID: String] = [:]
        var folders: [String: String] = [:]
        var ambiguous: Set<String> = []
        for row in rows {
            let path = row.isListing ? Self.above(row.path.dropLast()) : ""
            paths[row.id] = path
            let name = path + row.name
            if folders.updateValue(row.localFolder, forKey: name).map({ $0 != row.localFolder }) ?? false {
                ambiguous.insert(name)
            }
        }
        guard !hasColumn, !ambiguous.isEmpty else { return paths }
        for row in rows where ambiguous.contains((paths[row.id] ?? "") + row.name) {
            let folder = row.localFolder
            // The folder of a row that lists one has its name at the end.
            paths[row.id] =
                row.isListing
                ? Self.above(folder[...]) : folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        }
        return paths
    }

    /// A path without its last part.
    private static func above(_ path: Substring) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    private func drawHeading(on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        let style = frame.theme.heading
        // The underline of the heading spans the whole width of the table.
        canvas.clear(column: 0, row: row, columns: frame.state.tableColumns, style: style)
        let sorted = sort.isQueueOrder ? nil : columns.fields.first { $0.column.traits.sort == sort.column }?.column
        for field in columns.fields {
            // The bar's heading also takes the columns of the percentage, which has no heading.
            let width = field.column == .bar ? (columns[.percent]?.end ?? field.end) - field.start : field.width
            // If several columns have the same sort order, only the first shows the arrow.
            let isSorted = field.column == sorted
            canvas.write(
                frame.look.text(heading(of: field.column, isSorted: isSorted)),
                isSorted ? frame.theme.headingSorted : style,
                column: field.start, row: row, width: width, align: field.column.traits.alignment)
            canvas.mark(.column(field.column.traits.sort), column: field.start, row: row, columns: field.width)
        }
    }

    private var sort: RowSort { frame.state.list.sort }

    private func heading(of column: ColumnLayout.Column, isSorted: Bool) -> String {
        let heading = column.traits.heading
        guard isSorted else { return heading }
        let symbols = frame.look.symbols
        let mark = String(sort.isAscending ? symbols.ascending : symbols.descending)
        return heading.isEmpty ? mark : "\(heading) \(mark)"
    }

    /// `12/10000` above the names, when not all rows are in view and there is room.
    private func drawPosition(on canvas: inout Canvas, row: Int, columns: ColumnLayout) {
        let count = frame.state.list.order.count
        guard count > frame.state.layout.table.count, let name = columns[.name] else { return }
        let text = frame.look.text("\(frame.state.selection.index + 1)/\(count)")
        guard text.columns + ColumnLayout.Column.name.traits.heading.count + 2 < name.width else { return }
        canvas.write(text, frame.theme.heading, column: name.end - text.columns, row: row)
    }

    private func drawEmpty(on canvas: inout Canvas, layout: ScreenLayout) {
        let top = layout.table.lowerBound + layout.table.count / 3
        for (offset, line) in emptyWords.enumerated() {
            let words = frame.look.text(line)
            let column = max(0, (frame.state.tableColumns - words.columns) / 2)
            canvas.write(
                words, offset == 0 ? frame.theme.text : frame.theme.quiet, column: column, row: top + offset,
                width: frame.state.tableColumns - column)
        }
    }

    /// Why the table is empty, and what the user can do about it.
    private var emptyWords: [String] {
        let list = frame.state.list
        if frame.board.order.isEmpty, frame.state.fleet != nil {
            let isOver = frame.totals.count > 0 && frame.totals.allSettled
            return isOver
                ? ["All files of the run have been downloaded."]
                : ["No machine is at work.", "winch fleet work starts a worker, winch fleet submit adds files."]
        }
        if frame.board.order.isEmpty {
            return ["No downloads yet.", "Press a to add URLs, or paste them here; ? shows all keys."]
        }
        if frame.state.fleet != nil, list.view == .done, !list.isFiltered {
            return ["What is done leaves this list; the figures above count it.", "Press 1 to show all downloads."]
        }
        if list.isFiltered { return ["No rows match \(list.filterText).", "Esc clears the filter."] }
        return [list.view.emptyWords, "Press 1 to show all downloads."]
    }
}

extension ListTab {
    fileprivate var emptyWords: String {
        switch self {
        case .all: "No downloads."
        case .active: "No download is active now."
        case .waiting: "No download is waiting."
        case .failed: "No download has failed or was cancelled."
        case .done: "No download is done yet."
        }
    }
}
