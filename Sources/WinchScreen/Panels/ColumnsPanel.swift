import WinchModel

/// The columns to choose from, in a box at the right; the table at the left shows each change at once.
struct ColumnsPanel {
    let view: ColumnsView
    let look: Appearance

    /// Columns before the name in `> [x] percent  progress in percent`.
    private static let marks = 6
    private static let nameWidth = 9

    func draw(on canvas: inout Canvas, layout: ScreenLayout) {
        let height = max(1, min(view.columns.count, layout.panelEnd - layout.heading - 3))
        let longest = view.columns.map(\.traits.description.count).max() ?? 0
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
            look.text(choice.traits.description), look.theme.quiet, column: name + Self.nameWidth, row: row,
            width: width - Self.marks - Self.nameWidth)
    }
}

struct ColumnsView: Hashable, Sendable {
    /// All columns that can be chosen, in the order of the panel. At first the shown ones lead, in the table's order.
    private(set) var columns: [ColumnLayout.Column]
    private var shown: Set<ColumnLayout.Column>
    private(set) var index = 0

    /// - Parameter shown: the table's columns from left to right; columns that cannot be chosen are dropped.
    init(shown: [ColumnLayout.Column]) {
        let shown = shown.filter(ColumnChoice.choosable.contains)
        self.shown = Set(shown)
        columns = shown + ColumnChoice.choosable.filter { !shown.contains($0) }
    }

    func isShown(_ column: ColumnLayout.Column) -> Bool { shown.contains(column) }

    var choice: ColumnChoice { ColumnChoice(columns.filter(shown.contains)) }

    mutating func move(to target: Int) { index = min(max(0, target), columns.count - 1) }

    /// Shows the selected column if it is hidden, hides it if it is shown.
    ///
    /// - Returns: `false` for the name, which always stays.
    mutating func toggle() -> Bool {
        guard columns[index] != .name else { return false }
        if shown.remove(columns[index]) == nil { shown.insert(columns[index]) }
        return true
    }

    /// Moves the selected column by one place; at the end of the list it stays.
    mutating func shift(by step: Int) {
        let target = index + step
        guard columns.indices.contains(target) else { return }
        columns.swapAt(index, target)
        index = target
    }
}

extension Dashboard {
    mutating func openColumns() { mode = .columns(ColumnsView(shown: columnLayout.fields.map(\.column))) }

    mutating func press(_ key: Key, in view: ColumnsView, board: QueueCopy, now: Moment) -> [ScreenAction] {
        var view = view
        notice = nil
        switch (key, keyMap[key]) {
        case (" ", _), (.enter, _):
            if view.toggle() {
                columnChoice = view.choice
            } else {
                notice = Notice("The name is always shown", now: now)
            }
        case ("[", _), ("K", _), ("]", _), ("J", _):
            view.shift(by: key == "[" || key == "K" ? -1 : 1)
            columnChoice = view.choice
        case ("a", _):
            columnChoice = .automatic
            openColumns()
            return []
        case (_, .help):
            mode = .panelKeys(.columns, over: .columns(view))
            return []
        case (_, .back), (_, .columns), (_, .quit):
            mode = .normal
            return []
        case (_, .saveSettings):
            mode = .columns(view)
            return [.save(settingsToSave(board: board, now: now))]
        case (_, let intent):
            let count = view.columns.count
            if let place = intent?.destination(from: view.index, page: count, last: count - 1) { view.move(to: place) }
        }
        mode = .columns(view)
        return []
    }
}
