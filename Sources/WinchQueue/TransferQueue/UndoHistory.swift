import WinchModel

/// What a `restore` takes back.
enum Undo: Sendable {
    /// Off the list, in the order of the queue. They come back as they were.
    case removal([TransferState])
    case cancellation([Cancelled])

    /// A download that was cancelled and whose part is kept for a while.
    struct Cancelled: Sendable {
        /// The last one since it was cancelled; another one tells that it was tried again.
        var connection: ConnectionID
        var wasPaused: Bool

        var id: TransferID { connection.transfer }
    }
}

/// The last removals and cancels, and the parts that are kept for their sake.
package struct UndoHistory: Sendable {
    /// The last one last.
    private var undos: [Undo] = []
    /// When the parts of cancelled transfers are removed.
    private var parts = Heap<Alarm>()

    /// Enough to find a slip; a removal holds its transfers whole.
    static let most = 8

    /// - Returns: transfers off the list that cannot come back any more.
    @discardableResult mutating func remember(_ undo: Undo) -> [TransferID] {
        undos.append(undo)
        guard undos.count > Self.most, case .removal(let batch) = undos.removeFirst() else { return [] }
        return batch.map(\.id)
    }

    mutating func takeLast() -> Undo? { undos.popLast() }

    /// Transfers off the list that may come back.
    var removed: [TransferID] {
        undos.flatMap { (undo) -> [TransferID] in
            if case .removal(let batch) = undo { batch.map(\.id) } else { [] }
        }
    }

    /// How many come back with the next `restore`.
    ///
    /// - Parameter isCancelled: the transfer was neither tried again nor removed since.
    func restorable(isCancelled: (Undo.Cancelled) -> Bool) -> Int {
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
}

/// Parts of cancelled downloads.
extension UndoHistory {
    /// `nil`: none is kept.
    var nextPart: Moment? { parts.first?.at }

    mutating func keepPart(_ part: Alarm) { parts.insert(part) }

    /// Takes out the parts that were kept for long enough.
    mutating func takeDueParts(at now: Moment) -> [Alarm] {
        var due: [Alarm] = []
        while let part = parts.first, part.at <= now {
            due.append(part)
            _ = parts.popFirst()
        }
        return due
    }

    mutating func takeAllParts() -> [Alarm] {
        var all: [Alarm] = []
        while let part = parts.popFirst() { all.append(part) }
        return all
    }

    /// No tick is needed for a cancel that was undone.
    mutating func dropStaleParts(isCancelled: (Alarm) -> Bool) {
        while let part = parts.first, !isCancelled(part) { _ = parts.popFirst() }
    }
}
