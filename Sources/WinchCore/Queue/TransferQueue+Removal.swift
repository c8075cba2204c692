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
        let batch = gone.compactMap { self[$0] }.sorted { $0.rank < $1.rank }
        for transfer in batch {
            let id = transfer.id
            sums.replace(transfer.share, with: nil, in: transfer.spec.direction)
            ledger?.forget(id, transfer.record.addedAt == nil ? nil : transfer.record.key)
            rows[id.number - 1] = TransferState(removed: id)
        }
        remember(.removal(batch))
        order.removeAll { gone.contains($0) }
        feed.noteRemoved(gone.sorted())
        feed.noteOrder()
        for (direction, before) in zip(Direction.allCases, before) {
            sums.moveBar(direction, cause: .removed(1))
            let step = before.step(to: sums.snapshot(direction, in: settings.mode))
            if direction == .up, step.isNothing { continue }
            let cause = Rebase.Cause.removed(gone.count)
            if step.isShownBackwards { feed.noteRebase(step.rebase(cause, at: now), of: direction) }
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
            rows[transfer.id.number - 1] = transfer
            sums.replace(nil, with: transfer.share, in: direction)
            feed.noteChange(of: transfer.id)
            ledger?.noteRestored(transfer.id)
            book.forgetKept(transfer.id)
            let step = earlier.step(to: sums.snapshot(direction, in: settings.mode))
            events.append(
                FeedEvent(
                    id: transfer.id, direction: direction, at: now, kind: .restored, completed: step.completed,
                    total: step.total, have: transfer.have, size: transfer.size.known))
        }
        putInOrder(batch)
        feed.noteOrder()
        tell(events, since: before, at: now) { .added($0) }
    }

    /// Both the order and the batch are in the order of their ranks.
    private mutating func putInOrder(_ batch: [TransferState]) {
        var merged: [TransferID] = []
        merged.reserveCapacity(order.count + batch.count)
        var rest = batch[...]
        for id in order {
            let rank = self[id]?.rank ?? 0
            while let next = rest.first, next.rank < rank {
                merged.append(next.id)
                rest.removeFirst()
            }
            merged.append(id)
        }
        order = merged + rest.map(\.id)
        // Somebody may have been moved to the very place that was free meanwhile.
        if zip(order, order.dropFirst()).contains(where: { self[$0]?.rank == self[$1]?.rank }) { spreadRanks() }
    }
}
