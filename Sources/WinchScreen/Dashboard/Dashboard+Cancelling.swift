import WinchModel

/// Cancelling transfers once it is confirmed.
extension Dashboard {
    mutating func cancel(_ ids: [TransferID], board: QueueCopy, now: Moment) -> [ScreenAction] {
        mode = .normal
        let unsettled = ids.filter { !(board[$0]?.phase.isSettled ?? true) }
        let undoable = fleet != nil ? 0 : unsettled.count { board[$0]?.isCancelUndoable ?? false }
        let undo = undoable == 0 ? "" : undoable == unsettled.count ? "; b undoes it" : "; b undoes \(undoable) of them"
        notice = Notice("\(cancelledWords(unsettled, board))\(hiddenWords(unsettled))\(undo)", now: now)
        if undoable > 0 {
            let partial = unsettled.filter { board[$0].map { $0.isCancelUndoable && $0.have > .zero } ?? false }
            promise = UndoPromise(undoable, partial: partial, at: now)
        }
        return unsettled.isEmpty ? [] : [.send(.cancel(unsettled))]
    }

    private func cancelledWords(_ ids: [TransferID], _ board: QueueCopy) -> String {
        guard ids.count == 1, let row = board[ids[0]] else { return "\(ids.count.counted("download")) cancelled" }
        return "\(fitted(row.name, in: max(8, columns - 40))) cancelled"
    }
}

extension TransferSnapshot {
    /// Whether `b` can undo a cancellation: not for an upload, nor for a file that is being verified.
    fileprivate var isCancelUndoable: Bool { direction == .down && phase != .verifying }
}
