import WinchModel

extension Dashboard {
    mutating func openColumns() {
        mode = .columns(ColumnsView(shown: columnLayout.fields.map(\.column)))
    }

    /// Handles a key in the columns panel; the table shows each change at once.
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
        case ("[", _), ("K", _):
            view.shift(by: -1)
            columnChoice = view.choice
        case ("]", _), ("J", _):
            view.shift(by: 1)
            columnChoice = view.choice
        case ("a", _):
            columnChoice = .automatic
            openColumns()
            return []
        case (_, .up): view.move(to: view.index - 1)
        case (_, .down): view.move(to: view.index + 1)
        case (_, .first), (_, .pageUp): view.move(to: 0)
        case (_, .last), (_, .pageDown): view.move(to: view.columns.count - 1)
        case (_, .help):
            mode = .panelKeys(.columns, over: .columns(view))
            return []
        case (_, .back), (_, .columns), (_, .quit):
            mode = .normal
            return []
        case (_, .saveSettings):
            mode = .columns(view)
            return [.save(settingsToSave(board: board, now: now))]
        default: break
        }
        mode = .columns(view)
        return []
    }
}
