import WinchModel

/// Moving rows in the queue.
extension Dashboard {
    /// Moves the chosen transfers in the queue. Refused unless the table is in queue order and, for a move by one
    /// place, shows all rows: otherwise the user would not see the effect.
    mutating func move(_ intent: KeyAction, board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard !list.order.isEmpty else { return nothingSelected(board: board, now: now) }
        guard list.sort.isQueueOrder else {
            notice = Notice("Sorted by \(list.sort.words); rows move in the queue's order only (< or >)", now: now)
            return []
        }
        let isByOne = intent == .moveEarlier || intent == .moveLater
        guard list.isWhole || !isByOne else {
            notice = Notice("Not all rows are shown; to move by one show all (1, Esc)", now: now)
            return []
        }
        let shift: QueueShift =
            switch intent {
            case .moveEarlier: .earlier
            case .moveLater: .later
            case .moveFirst: .first
            default: .last
            }
        if tags.isEmpty { return moveSelected(shift, board: board, now: now) }
        let chosen = tagged(board, .selectedCanMove)
        guard !chosen.isEmpty else {
            notice = Notice("Nothing to move: all tagged are done", now: now)
            return []
        }
        return announce("moved", chosen, .shift(chosen, shift), now)
    }

    /// Moves the selected transfer. A finished one does not wait for a slot, so it is not moved.
    private mutating func moveSelected(_ shift: QueueShift, board: QueueCopy, now: Moment) -> [ScreenAction] {
        guard let id = selection.id, let row = board[id] else { return nothingSelected(board: board, now: now) }
        guard KeyApplicability(selected: row, totals: board.totals).satisfies(.selectedCanMove) else {
            notice = Notice("Nothing to move: \(row.phase.inapplicableReason)", now: now)
            return []
        }
        let isForward = shift == .earlier || shift == .first
        guard id != (isForward ? board.order.first : board.order.last) else {
            notice = Notice("It is already the \(isForward ? "first" : "last") in the queue", now: now)
            return []
        }
        switch shift {
        case .earlier: return [.send(.move(id, by: -1))]
        case .later: return [.send(.move(id, by: 1))]
        case .first, .last: return [.send(.shift([id], shift))]
        }
    }
}
