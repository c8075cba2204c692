/// What a `restore` takes back.
enum Undo: Sendable {
    /// Off the list, in the order of the queue. They come back as they were.
    case removal([TransferState])
    case cancellation([Cancelled])

    /// A download that was cancelled and whose part is kept for a while.
    struct Cancelled: Sendable {
        var id: TransferID
        /// Since it was cancelled; another one tells that it was tried again.
        var stamp: Stamp
        var wasPaused: Bool
    }
}

extension TransferQueue {
    mutating func remember(_ undo: Undo) {
        undos.append(undo)
        if undos.count > Self.mostUndos { undos.removeFirst() }
    }

    /// Takes back the last removal or cancel. Cancelled transfers that were tried again since are passed over.
    mutating func restore(at now: Moment) {
        while let undo = undos.popLast() {
            switch undo {
            case .removal(let batch): return putBack(batch, at: now)
            case .cancellation(let cancelled): if takeBack(cancelled, at: now) { return }
            }
        }
    }

    /// How many come back with the next `restore`.
    var restorable: Int {
        for undo in undos.reversed() {
            switch undo {
            case .removal(let batch): return batch.count
            case .cancellation(let cancelled):
                let count = cancelled.count(where: isCancelled)
                if count > 0 { return count }
            }
        }
        return 0
    }

    /// Enough to find a slip; a removal holds its transfers whole.
    static let mostUndos = 8
}
