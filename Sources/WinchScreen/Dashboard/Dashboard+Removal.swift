import WinchModel

/// Removing rows from the list, and undoing it.
extension Dashboard {
    /// Removes settled transfers from the list: the tagged ones, or the selected one if none is tagged.
    mutating func remove(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let chosen = chosen(board)
        guard !chosen.isEmpty else { return nothingSelected(board: board, now: now) }
        let settled = chosen.filter { board[$0]?.phase.isSettled ?? false }
        guard !settled.isEmpty else {
            notice = Notice("Only finished, failed or cancelled rows can be removed; c cancels first", now: now)
            return []
        }
        promise = UndoPromise(settled.count, at: now)
        return announce("taken off the list", settled, .remove(settled), now, more: "; b undoes it, files are kept")
    }

    /// Removes all finished transfers from the list.
    mutating func removeDone(board: QueueCopy, now: Moment) -> [ScreenAction] {
        var done: [TransferID] = []
        board.visit { row, _ in if ListTab.done.contains(row.phase) { done.append(row.id) } }
        guard !done.isEmpty else {
            notice = Notice("Nothing has finished yet", now: now)
            return []
        }
        notice = Notice(
            "\(done.count.counted("finished download")) taken off the list; b undoes it, files are kept", now: now)
        promise = UndoPromise(done.count, at: now)
        return [.send(.remove(done))]
    }

    mutating func bringBack(board: QueueCopy, now: Moment) -> [ScreenAction] {
        let promised = promise.flatMap { $0.holds(at: now) ? $0.count : nil } ?? 0
        let count = board.totals.restorable > 0 ? board.totals.restorable : promised
        let withoutParts = promise.flatMap { $0.hasParts(at: now) ? nil : $0.partial } ?? []
        let lost = withoutParts.count { board[$0]?.phase == .cancelled }
        promise = nil
        let restored = lost == count ? "" : "\(count.counted("download")) restored"
        let again = lost == 0 ? "" : "\(lost.counted("download")) \(lost == 1 ? "starts" : "start") again from 0"
        let words = [restored, again].filter { !$0.isEmpty }.joined(separator: ", ")
        notice = Notice(count > 0 ? words : "Nothing to restore", now: now)
        return count > 0 ? [.send(.restore)] : []
    }
}
