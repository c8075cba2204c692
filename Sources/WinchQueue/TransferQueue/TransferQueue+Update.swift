package import WinchModel

extension TransferQueue {
    /// Everything that changed since the last call, or `nil`.
    package mutating func takeUpdate(at now: Moment) -> Update? {
        guard !feed.isEmpty else { return nil }
        defer { feed.clear() }
        var rows: [TransferID: TransferSnapshot] = [:]
        rows.reserveCapacity(feed.changed.count)
        for id in feed.changed {
            rows[id] = row(id, at: now)
        }
        var update = Update(
            rows: rows, removed: feed.removed, order: feed.isOrderChanged ? order : nil, totals: totals(at: now),
            seconds: feed.seconds, events: feed.events, details: takeDetails(), at: now)
        update.addedAgain = feed.addedAgain
        return update
    }

    /// What is shown of a transfer; `nil` for one that is not there.
    package func row(_ id: TransferID, at now: Moment) -> TransferSnapshot? {
        guard var row = self[id]?.row(at: now) else { return nil }
        if let rate = row.rate { row.rate = book.bounded(rate, of: id, at: now) }
        return row
    }
}
