import WinchModel

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
