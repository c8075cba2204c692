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
    private var undos: [Undo] = [] { didSet { isCountStale = true } }
    /// How many come back with the next `restore`, as of the last `recount`.
    private(set) var restorableCount = 0
    private var isCountStale = false
    /// When the parts of cancelled transfers are removed.
    var parts = Heap<Alarm>()

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

    /// A transfer was cancelled, or is not any more.
    mutating func noteCancelled() { isCountStale = true }

    /// Brings `restorableCount` up to date. Not at each update: a folder that was cancelled may hold a million transfers.
    ///
    /// - Parameter isCancelled: the transfer was neither tried again nor removed since.
    mutating func recount(isCancelled: (Undo.Cancelled) -> Bool) {
        guard isCountStale else { return }
        (isCountStale, restorableCount) = (false, 0)
        for undo in undos.reversed() where restorableCount == 0 {
            switch undo {
            case .removal(let batch): restorableCount = batch.count
            case .cancellation(let cancelled): restorableCount = cancelled.count(where: isCancelled)
            }
        }
    }
}

/// A cancel, and what undoes it.
extension TransferQueue {
    /// The parts of downloads are kept for `undoSpan`: until then `restore` brings them back with their bytes.
    mutating func cancel(_ ids: [TransferID], at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        var undoable: [Undo.Cancelled] = []
        for id in ids {
            guard let transfer = self[id] else { continue }
            // Nothing more will be learned of why it was refused.
            if !transfer.isSettled { noteURLsFault(of: id) }
            if settings.undoSpan > .zero, !isEnding, transfer.isCancelUndoable {
                let wasPaused = transfer.phase == .paused
                change(id, at: now, .cancelled, cause: .removed(1)) { next in
                    next.connections.close(.keeping)
                    next.cancel(at: now)
                }
                actions += transfer.closings(discarding: false)
                guard let last = self[id]?.lastConnection else { continue }
                undoable.append(Undo.Cancelled(connection: last, wasPaused: wasPaused))
                undo.parts.insert(Alarm(at: now + settings.undoSpan, connection: last))
            } else {
                actions += cancel(id, at: now)
            }
        }
        if !undoable.isEmpty { schedule.forget(undo.remember(.cancellation(undoable))) }
        return actions
    }

    /// Removes the part. While a file is being finished the transport decides: either it is gone, or it was complete before.
    private mutating func cancel(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id] else { return [] }
        switch transfer.phase {
        case .waiting, .paused, .backoff, .failed:
            settleCancelled(id, at: now)
            // A connection that is still closing holds the part: it is removed when that has answered.
            return transfer.closing == nil ? [transfer.discarding(transfer.resume)] : []
        case .active:
            change(id, at: now, nil) { $0.connections.close(.discarding) }
            settleCancelled(id, at: now)
            return transfer.closings(discarding: true)
        case .verifying where transfer.awaitsEntries:
            change(id, at: now, nil) { $0.connections.removeAll() }
            settleCancelled(id, at: now)
            return []
        case .verifying(let isCancelling):
            guard !isCancelling else { return [] }
            change(id, at: now, nil) { transfer in
                transfer.phase = .verifying(isCancelling: true)
                transfer.connections.close(.discarding)
            }
            return transfer.closings(discarding: true)
        case .finished, .cancelled: return []
        }
    }

    mutating func settleCancelled(_ id: TransferID, at now: Moment) {
        change(id, at: now, .cancelled, cause: .removed(1)) { transfer in
            let kept = transfer.resume
            transfer.connections.changeClosing { if $0.disposition == .keeping { $0.disposition = .dropping(kept) } }
            transfer.resume = nil
            transfer.cancel(at: now)
        }
    }

    /// Brings cancelled transfers back: with their bytes while their parts are there, else from the start.
    ///
    /// - Returns: whether there were any left to bring back.
    mutating func takeBack(_ cancelled: [Undo.Cancelled], at now: Moment) -> Bool {
        let cancelled = cancelled.filter { isCancelled($0.connection) }
        for transfer in cancelled {
            retry(transfer.id, at: now)
            if transfer.wasPaused { change(transfer.id, at: now, .paused) { $0.pause(at: now) } }
        }
        return !cancelled.isEmpty
    }

    /// It was neither tried again nor removed since.
    ///
    /// - Parameter last: the last connection of the transfer when it was cancelled.
    func isCancelled(_ last: ConnectionID) -> Bool { Self.isCancelled(last, in: rows) }

    static func isCancelled(_ last: ConnectionID, in rows: TransferRows) -> Bool {
        let transfer = rows[last.transfer.number - 1]
        guard !transfer.isRemoved, case .cancelled = transfer.phase else { return false }
        return transfer.lastConnection == last
    }

    /// All of them when the queue ends: of connections that are still closing the parts are removed when they have answered.
    mutating func removeParts(at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        let due = undo.parts.takeDue(at: isEnding ? Moment(nanoseconds: .max) : now)
        for var part in due where isCancelled(part.connection) {
            if self[part.id]?.closing == nil {
                actions += removePart(of: part.id, at: now)
            } else if !isEnding {
                // Its connection has not let go of it yet.
                part.at = now + Self.closingTime
                undo.parts.insert(part)
            }
        }
        return actions
    }

    /// The part of a cancelled download would keep its name from another that is to be saved under it, such as the same file
    /// from a corrected URL.
    mutating func removeParts(inTheWayOf specs: [TransferSpec], at now: Moment) -> [QueueAction] {
        guard undo.parts.next != nil else { return [] }
        let wanted = Set(specs.map { [ExactText($0.folder), ExactText($0.expectedName)] })
        var actions: [QueueAction] = []
        for part in undo.parts.unordered where isCancelled(part.connection) {
            guard let transfer = self[part.id], transfer.resume != nil, transfer.closing == nil,
                wanted.contains([ExactText(transfer.spec.folder), ExactText(transfer.name)])
            else { continue }
            actions += removePart(of: part.id, at: now)
        }
        return actions
    }

    mutating func removePart(of id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id] else { return [] }
        change(id, at: now, nil) { $0.resume = nil }
        ledger?.noteNow(id)
        return [transfer.discarding(transfer.resume)]
    }

    private static let closingTime = Duration.seconds(1)
}

extension TransferState {
    /// A download that is not settled and whose file is not being finished: a stop leaves its part as it is.
    fileprivate var isCancelUndoable: Bool { spec.direction == .down && !isSettled && !isVerifying }

    /// Late reports of the last attempt mean nothing from now on.
    fileprivate mutating func cancel(at now: Moment) {
        phase = .cancelled
        forgetFailure()
        beginEpoch()
        stopClock(at: now)
    }
}

/// Off the list and back again.
extension TransferQueue {
    /// Only settled transfers leave the list, when their connections have let go of the part.
    mutating func remove(_ ids: [TransferID], at now: Moment) -> [QueueAction] {
        leaving.formUnion(ids.filter { id in self[id].map { $0.isSettled && $0.closing != nil } ?? false })
        let gone = Set(ids.filter { id in self[id].map { $0.isSettled && $0.closing == nil } ?? false })
        guard !gone.isEmpty else { return [] }
        var actions: [QueueAction] = []
        for id in gone.sorted() {
            if let transfer = self[id], transfer.phase == .cancelled, transfer.resume != nil {
                actions += removePart(of: id, at: now)
            }
        }
        let before = Direction.allCases.map { sums.snapshot($0, in: settings.mode) }
        let batch = order.filter { gone.contains($0) }.compactMap { self[$0] }
        for transfer in batch {
            let id = transfer.id
            ledger?.forget(id, transfer.record.addedAt == nil ? nil : transfer.record.key)
            leave(id)
        }
        schedule.forget(undo.remember(.removal(batch)))
        if let left = schedule.remove(gone) { probes.retain { left.contains($0) } }
        feed.noteRemoved(gone.sorted())
        feed.noteOrder()
        for (direction, before) in zip(Direction.allCases, before) {
            sums.moveBar(direction, cause: .removed(1))
            let step = before.step(to: sums.snapshot(direction, in: settings.mode))
            if direction == .up, step.isNothing { continue }
            let cause = Rebase.Cause.removed(gone.count)
            feed.noteRebase(step, cause, of: direction, at: now)
            feed.append(
                FeedEvent(
                    id: nil, direction: direction, at: now, kind: step.isBackwards ? .rebase(cause) : .removed,
                    completed: step.completed, total: step.total))
        }
        return actions
    }

    /// A connection has answered: it may be the last one that a transfer waited for to leave the list.
    mutating func removeLeaving(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard self[id]?.closing == nil, leaving.remove(id) != nil else { return [] }
        return remove([id], at: now)
    }

    /// What was removed comes back as it was and where it was: no event can have reached it meanwhile.
    mutating func putBack(_ batch: [TransferState], at now: Moment) {
        let before = Direction.allCases.map { sums.snapshot($0, in: settings.mode) }
        var events: [FeedEvent] = []
        for transfer in batch {
            let direction = transfer.spec.direction
            let earlier = sums.snapshot(direction, in: settings.mode)
            comeBack(transfer)
            ledger?.noteRestored(transfer.id)
            detailsStore[transfer.id]?.forgetKept()
            let step = earlier.step(to: sums.snapshot(direction, in: settings.mode))
            events.append(
                FeedEvent(
                    id: transfer.id, direction: direction, at: now, kind: .restored, completed: step.completed,
                    total: step.total, have: transfer.have, size: transfer.size.known))
        }
        noteRanks(of: schedule.putBack(batch.map(\.id), removed: undo.removed))
        feed.noteOrder()
        emit(events, since: before, at: now)
    }

    /// Takes back the last removal or cancel. Cancelled transfers that were tried again since are passed over.
    mutating func restore(at now: Moment) {
        while let last = undo.takeLast() {
            switch last {
            case .removal(let batch): return putBack(batch, at: now)
            case .cancellation(let cancelled): if takeBack(cancelled, at: now) { return }
            }
        }
    }
}
