import WinchModel

extension Dashboard {
    mutating func actOnList(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch intent {
        case .sortNext: sort(list.sort.cycled(by: 1, among: shownSorts), board: board, now: now)
        case .sortPrevious: sort(list.sort.cycled(by: -1, among: shownSorts), board: board, now: now)
        case .invertSort: sort(list.sort.chosen(list.sort.column), board: board, now: now)
        case .nextView: show(list.view.cycled(by: 1), board: board, now: now)
        case .previousView: show(list.view.cycled(by: -1), board: board, now: now)
        case .viewAll: show(.all, board: board, now: now)
        case .viewActive: show(.active, board: board, now: now)
        case .viewWaiting: show(.waiting, board: board, now: now)
        case .viewFailed: show(.failed, board: board, now: now)
        case .viewDone: show(.done, board: board, now: now)
        case .filter: mode = .filter(Prompt(text: list.filterText))
        case .holdLine:
            selection.holdsLine.toggle()
            notice = Notice(
                selection.holdsLine
                    ? "The cursor line is fixed; F releases it" : "The cursor line moves with its row",
                now: now)
        case .toggleMouse:
            isMouseOn.toggle()
            notice = Notice(
                isMouseOn
                    ? "Mouse on; hold Shift for the terminal's own selection" : "Mouse off; the terminal selects text",
                now: now)
            return [.setMouse(isMouseOn)]
        default: break
        }
        return []
    }

    /// The sort columns of the table's visible headings.
    private var shownSorts: [RowSort.Column] { columnLayout.fields.map(\.column.traits.sort) }

    mutating func sort(_ sort: RowSort, board: QueueCopy, now: Moment) {
        list.sort(sort, board, at: now)
        listChanged()
        if !sort.isQueueOrder || list.sort.column == .queue {
            notice = Notice("Sorted by \(sort.words)", now: now)
        }
    }

    mutating func show(_ view: ListTab, board: QueueCopy, now: Moment) {
        list.show(view, board, at: now)
        listChanged()
    }

    mutating func filter(by text: String, board: QueueCopy, now: Moment) {
        list.filter(by: text, board, at: now)
        listChanged()
    }

    /// Keeps the cursor on its transfer if the user has moved it there, else puts it on the first row.
    mutating func listChanged() {
        let height = layout.table.count
        selection.settle(in: list.order, height: height, isNewView: true)
        if selection.isFollowing { selection.move(to: 0, in: list.order, height: height) }
    }

    /// Handles a key while the filter is being typed; the rows are filtered after each.
    mutating func press(_ key: Key, inFilter prompt: Prompt, board: QueueCopy, now: Moment) -> [ScreenAction] {
        let height = layout.table.count
        switch key {
        case .up: selection.move(to: selection.index - 1, in: list.order, height: height)
        case .down: selection.move(to: selection.index + 1, in: list.order, height: height)
        case .pageUp: selection.move(to: selection.index - height, in: list.order, height: height)
        case .pageDown: selection.move(to: selection.index + height, in: list.order, height: height)
        default:
            var prompt = prompt
            switch prompt.press(key.onOneLine) {
            case .edited:
                mode = .filter(prompt)
                filter(by: prompt.text, board: board, now: now)
            case .entered: mode = .normal
            case .closed:
                mode = .normal
                filter(by: "", board: board, now: now)
            case .ignored: break
            }
        }
        return []
    }
}

extension Key {
    /// A paste with its line ends replaced by blanks; any other key unchanged.
    fileprivate var onOneLine: Key {
        guard case .paste(let text) = self else { return self }
        return .paste(String(text.map { $0.isNewline ? " " : $0 }))
    }
}

extension Dashboard {
    mutating func point(_ mouse: Mouse, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch mouse {
        case .wheelUp: return scrollByWheel(by: -Self.wheelLines, board: board, now: now)
        case .wheelDown: return scrollByWheel(by: Self.wheelLines, board: board, now: now)
        case .click(let column, let row):
            // The click targets are recorded while a frame is drawn.
            guard let target = draw(board: board, at: now).hits.target(column: column, row: row) else { return [] }
            return click(target, board: board, now: now)
        }
    }

    private mutating func click(_ target: HitMap.Target, board: QueueCopy, now: Moment) -> [ScreenAction] {
        // While a dialog, a prompt or a panel is open, only the keys that it shows can be clicked.
        if case .key(let key) = target { return press(key, board: board, now: now) }
        guard mode == .normal else { return [] }
        notice = nil
        switch target {
        case .row(let id):
            selection.isFollowing = false
            selection.take(id, in: list.order, height: layout.table.count)
            let isSecond = lastClick.map { $0.id == id && now - $0.at < Self.doubleClick } ?? false
            lastClick = isSecond ? nil : (id: id, at: now)
            // A double click acts as Enter, which opens the details unless the user has bound it to something else.
            return isSecond ? press(.enter, board: board, now: now) : []
        case .folder(let id):
            lastClick = nil
            // With the cursor elsewhere, lines that appear above it would move the view away from the folder.
            selection.isFollowing = false
            selection.take(id, in: list.order, height: layout.table.count)
            toggle(id, board: board, now: now)
        case .column(let column): sort(list.sort.chosen(column), board: board, now: now)
        case .view(let view): show(view, board: board, now: now)
        case .key: break
        }
        return []
    }

    private mutating func scrollByWheel(by lines: Int, board: QueueCopy, now: Moment) -> [ScreenAction] {
        switch mode {
        case .normal, .filter:
            selection.isFollowing = false
            selection.scroll(by: lines, in: list.order, height: layout.table.count)
        case .prompt, .limit, .command, .editing, .question, .secret, .quitting: break
        default:
            var actions: [ScreenAction] = []
            for _ in 0..<abs(lines) { actions += press(lines < 0 ? .up : .down, board: board, now: now) }
            return actions
        }
        return []
    }

    /// 3 lines, as in most programs: the view moves visibly and still keeps some of the rows.
    private static let wheelLines = 3
    /// The longest time between the two clicks of a double click, as on most desktops.
    private static let doubleClick = Duration.milliseconds(400)
}
