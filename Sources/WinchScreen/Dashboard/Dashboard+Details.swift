import WinchModel

extension Dashboard {
    /// Carries out the intents that show the details of the selected row, or need them: its folder and its URL.
    mutating func actWithDetails(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        if let id = selection.id, isFolderSelected { return actWithFolder(intent, id, board: board, now: now) }
        switch intent {
        case .details:
            guard let id = selection.id, board[id] != nil else { return nothingSelected(board: board, now: now) }
            isDetailsOpen.toggle()
            detailsTop = 0
        case .scrollDetailsDown: scrollDetails(by: 1, board: board, now: now)
        case .scrollDetailsUp: scrollDetails(by: -1, board: board, now: now)
        case .openFolder: return ask(for: .openFolder, board: board, now: now)
        case .copyURL: return ask(for: .copyURL, board: board, now: now)
        case .editURL:
            guard readdressable(board: board, now: now) != nil else { return [] }
            return ask(for: .editURL, board: board, now: now)
        default: break
        }
        return []
    }

    /// Reports in a notice why a key does nothing.
    mutating func refuse(_ words: String, _ now: Moment) -> [ScreenAction] {
        notice = Notice(words, now: now)
        return []
    }

    /// Reports in a notice why no row is selected.
    mutating func nothingSelected(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let words =
            if let id = selection.id, isFolderSelected {
                "Not for a folder; " + (list.tree?.isOpen(id) ?? false ? "choose a file in it" : "Right opens it")
            } else if board.order.isEmpty {
                "No downloads yet; a adds one"
            } else {
                list.isFiltered ? "No rows match; Esc clears the filter" : "No rows here; press 1 to show all"
            }
        return refuse(words, now)
    }

    /// The details are open, and the screen is wide enough to show them beside the table.
    var areDetailsBeside: Bool { isDetailsOpen && columns >= DetailsPanel.leastBeside && layout.form != .line }

    var tableColumns: Int { areDetailsBeside ? columns - DetailsPanel.widthBeside(columns) : columns }

    var columnLayout: ColumnLayout {
        .fitting(
            tableColumns, choice: columnChoice, isFleet: fleet != nil,
            hasFolders: folders.areSeveral && list.tree == nil)
    }
}

// MARK: - Keys in panels

extension Dashboard {
    /// Lines inside a panel that covers the table, without its frame.
    var panelHeight: Int { max(1, layout.panelEnd - layout.panelTop - 2) }

    mutating func press(_ key: Key, in view: LogPanelView) {
        var view = view
        if keyMap[key] == .help, view.typing == nil { return mode = .panelKeys(.log, over: .log(view)) }
        let isOpen = view.press(key, intent: keyMap[key], journal: journal, height: panelHeight)
        mode = isOpen ? .log(view) : .normal
    }
}

/// An action that waits until the details of a transfer have arrived.
struct Awaited: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case openFolder, copyURL, editURL, limit
    }

    let id: TransferID
    let purpose: Purpose
}

extension Dashboard {
    mutating func scrollDetails(by lines: Int, board: QueueCopy, now: Moment) {
        guard isDetailsOpen, let panel = detailsPanel(board: board, now: now) else {
            notice = Notice("No details are open; Enter opens them", now: now)
            return
        }
        detailsTop = min(max(0, detailsTop + lines * max(1, panel.height / 2)), panel.lastTop)
    }

    /// Carries out `purpose` at once if the details are known, else when they arrive.
    mutating func ask(for purpose: Awaited.Purpose, board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard let id = selection.id, board[id] != nil else { return nothingSelected(board: board, now: now) }
        awaited = Awaited(id: id, purpose: purpose)
        return arrived(board: board, now: now)
    }

    /// Carries out the waiting action if its details have arrived.
    mutating func arrived(board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard let awaited, let details = board.details, details.id == awaited.id else { return [] }
        self.awaited = nil
        switch awaited.purpose {
        case .openFolder:
            let folder = workingFolder?.absolute(details.place) ?? details.place
            notice = Notice("Opening \(folder)", now: now)
            return [.openFolder(folder)]
        case .copyURL:
            notice = Notice("Copied \(TransferURL.withoutSecrets(details.url))", now: now)
            return [.copy(details.url)]
        case .editURL:
            // A prompt, dialog or panel that the user has opened meanwhile is not replaced.
            if mode == .normal { mode = .editing(details.id, Prompt(text: details.url)) }
            return []
        case .limit:
            if mode == .normal {
                mode = .limit([details.id], Prompt(text: details.rateLimit?.typed ?? "", isSelected: true))
            }
            return []
        }
    }

    /// Tells the engine which transfer's details the screen needs, if that has changed.
    mutating func watch(board: QueueCopy) -> [ScreenAction] {
        let wanted = awaited?.id ?? (isDetailsOpen && !isFolderSelected && layout.form != .line ? selection.id : nil)
        guard wanted != watched else { return [] }
        watched = wanted
        return [.send(.watch(wanted))]
    }
}

extension Dashboard {
    /// The selected transfer if its URL can be changed; else `nil`, and a notice says why.
    mutating func readdressable(board: QueueCopy, now: Moment) -> TransferID? {
        guard let id = selection.id, let row = board[id] else {
            _ = nothingSelected(board: board, now: now)
            return nil
        }
        guard KeyApplicability(selected: row, totals: board.totals).satisfies(.selectedCanChangeURL) else {
            let reason = row.direction == .up ? "it is an upload" : row.phase.inapplicableReason
            notice = Notice("Its URL cannot be changed: \(reason)", now: now)
            return nil
        }
        return id
    }
}
