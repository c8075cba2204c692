import WinchModel

/// Off the list and back again.
extension TransferQueue {
    /// Only settled transfers leave the list, when their connections have let go of the part.
    mutating func remove(_ ids: [TransferID], at now: Moment) -> [QueueAction] {
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

    /// What was removed comes back as it was and where it was: no event can have reached it meanwhile.
    mutating func putBack(_ batch: [TransferState], at now: Moment) {
        let before = Direction.allCases.map { sums.snapshot($0, in: settings.mode) }
        var events: [FeedEvent] = []
        for transfer in batch {
            let direction = transfer.spec.direction
            let earlier = sums.snapshot(direction, in: settings.mode)
            comeBack(transfer)
            ledger?.noteRestored(transfer.id)
            detailsStore.forgetKept(transfer.id)
            let step = earlier.step(to: sums.snapshot(direction, in: settings.mode))
            events.append(
                FeedEvent(
                    id: transfer.id, direction: direction, at: now, kind: .restored, completed: step.completed,
                    total: step.total, have: transfer.have, size: transfer.size.known))
        }
        noteRanks(of: schedule.putBack(batch.map(\.id), removed: undo.removed))
        feed.noteOrder()
        emit(events, since: before, at: now) { .added($0) }
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
