import WinchModel

/// An action that waits until the details of a transfer have arrived.
struct Awaited: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case openFolder, copyURL, editURL, limit
    }

    let id: TransferID
    let purpose: Purpose
}

/// The details of a transfer, and the keys that wait for them.
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
            notice = Notice("Opening \(details.place)", now: now)
            return [.openFolder(details.place)]
        case .copyURL:
            notice = Notice("Copied \(details.url)", now: now)
            return [.copy(details.url)]
        case .editURL:
            // A prompt, dialog or panel that the user has opened meanwhile is not replaced.
            if mode == .normal { mode = .editing(details.id, Prompt(text: details.url)) }
            return []
        case .limit:
            if mode == .normal { mode = .limit(Prompt(text: details.rateLimit?.typed ?? "", isSelected: true)) }
            return []
        }
    }

    /// Tells the engine which transfer's details the screen needs, if that has changed.
    mutating func watch(board: QueueCopy) -> [ScreenAction] {
        let wanted = awaited?.id ?? (isDetailsOpen && layout.form != .line ? selection.id : nil)
        guard wanted != watched else { return [] }
        watched = wanted
        return [.send(.watch(wanted))]
    }
}
