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
        let before = Direction.allCases.map { sums($0) }
        let batch = gone.compactMap { self[$0] }.sorted { $0.rank < $1.rank }
        for transfer in batch {
            let id = transfer.id
            self[transfer.spec.direction].replace(transfer.progress, with: nil)
            if transfer.spec.direction == .down { learn(transfer.size.known, sign: -1) }
            ledger?.forget(id, transfer.record.addedAt == nil ? nil : transfer.record.key)
            rows[id.number - 1] = TransferState(removed: id)
            feed.changed.remove(id)
        }
        remember(.removal(batch))
        order.removeAll { gone.contains($0) }
        feed.removed += gone.sorted()
        feed.isOrderChanged = true
        feed.areTotalsChanged = true
        for (direction, before) in zip(Direction.allCases, before) {
            moveBar(direction, cause: .removed(1))
            let step = before.step(to: sums(direction))
            if direction == .up, step.isNothing { continue }
            let cause = Rebase.Cause.removed(gone.count)
            if step.isShownBackwards { feed.rebases[direction] = step.rebase(cause, at: now) }
            feed.append(
                FeedEvent(
                    id: nil, direction: direction, at: now, kind: step.isBackwards ? .rebase(cause) : .removed,
                    completed: step.completed, total: step.total))
        }
        return actions
    }

    /// What was removed comes back as it was and where it was: no event can have reached it meanwhile.
    mutating func putBack(_ batch: [TransferState], at now: Moment) {
        let before = Direction.allCases.map { sums($0) }
        var events: [FeedEvent] = []
        for transfer in batch {
            let direction = transfer.spec.direction
            let sums = sums(direction)
            rows[transfer.id.number - 1] = transfer
            self[direction].replace(nil, with: transfer.progress)
            if direction == .down { learn(transfer.size.known, sign: 1) }
            feed.changed.insert(transfer.id)
            ledger?.noteRestored(transfer.id)
            book.forgetKept(transfer.id)
            let step = sums.step(to: self.sums(direction))
            events.append(
                FeedEvent(
                    id: transfer.id, direction: direction, at: now, kind: .restored, completed: step.completed,
                    total: step.total, have: transfer.have, size: transfer.size.known))
        }
        putInOrder(batch)
        feed.isOrderChanged = true
        feed.areTotalsChanged = true
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
