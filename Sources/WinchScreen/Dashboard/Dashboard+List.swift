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

extension Dashboard {
    /// The cursor is on a folder: keys act on all transfers in it, as on tagged ones.
    var isFolderSelected: Bool { list.tree != nil && selection.id?.number ?? 0 < 0 }

    mutating func actOnFolders(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        if intent == .groupByFolder {
            group(list.tree == nil ? .on : .off, board: board, now: now)
            return []
        }
        guard list.tree != nil else { return refuse("The rows are not grouped; f groups them by folder", now) }
        guard let id = selection.id else { return nothingSelected(board: board, now: now) }
        selection.isFollowing = false
        let height = layout.table.count
        let isOpen = list.tree?.isOpen(id) ?? false
        if intent == .fold, isOpen, list.isWhole {
            setOpen(false, id, board: board, now: now)
        } else if intent == .fold {
            if let folder = list.tree?.parent(id) {
                selection.take(folder, in: list.order, height: height)
            } else if isOpen {
                toggle(id, board: board, now: now)
            }
        } else if isOpen {
            selection.move(to: selection.index + 1, in: list.order, height: height)
        } else {
            setOpen(true, id, board: board, now: now)
        }
        return []
    }

    mutating func toggle(_ id: TransferID, board: QueueCopy, now: Moment) {
        guard list.isWhole else {
            let remedy = list.isFiltered ? "Esc clears the filter" : "press 1 to show all"
            notice = Notice("Folders are open while not all rows are shown; \(remedy)", now: now)
            return
        }
        setOpen(!(list.tree?.isOpen(id) ?? false), id, board: board, now: now)
    }

    /// Opens or closes a folder. The cursor on a line that vanishes moves to the folder.
    private mutating func setOpen(_ isOpen: Bool, _ id: TransferID, board: QueueCopy, now: Moment) {
        guard list.setOpen(isOpen, id, at: now) != nil else { return }
        let height = layout.table.count
        if let selected = selection.id, !list.order.contains(selected) {
            selection.take(id, in: list.order, height: height)
        } else {
            selection.settle(in: list.order, height: height)
        }
    }

    mutating func group(_ choice: ListGrouping, board: QueueCopy, now: Moment) {
        grouping = choice
        let isOn = choice.isOn(board.totals)
        guard isOn != (list.tree != nil) else { return }
        setGrouped(isOn, board: board, now: now)
        notice = Notice(isOn ? "Grouped by folder; Left closes one, Right opens it" : "Not grouped by folder", now: now)
    }

    mutating func setGrouped(_ isOn: Bool, board: QueueCopy, now: Moment) {
        let first = isFolderSelected ? selection.id.flatMap { list.tree?.rows($0).first } : nil
        list.group(isOn, showing: selection.isFollowing ? nil : selection.id, board, at: now)
        if let line = first ?? selection.id.map({ list.line(for: $0) }), line != selection.id {
            selection.take(line, in: list.order, height: layout.table.count)
        }
        // The cursor stays where it is on the screen as well.
        let holdsLine = selection.holdsLine
        selection.holdsLine = true
        listChanged()
        selection.holdsLine = holdsLine
    }

    /// Carries out an intent for one transfer on a folder: Enter opens or closes it, `o` shows it in the file manager, all others
    /// are refused.
    mutating func actWithFolder(
        _ intent: KeyAction, _ id: TransferID, board: QueueCopy, now: Moment
    ) -> [ScreenAction] {
        switch intent {
        case .details:
            toggle(id, board: board, now: now)
            return []
        case .openFolder:
            let path = list.tree?.path(id) ?? "."
            let folder = workingFolder?.absolute(path) ?? path
            notice = Notice("Opening \(folder)", now: now)
            return [.openFolder(folder)]
        default: return nothingSelected(board: board, now: now)
        }
    }
}
