package import WinchModel

extension TransferQueue {
    /// Something changed since the last `takeUpdate`.
    var hasUpdate: Bool { !feed.isEmpty }

    /// Everything that changed since the last call, or `nil`.
    package mutating func takeUpdate(at now: Moment) -> Update? {
        guard !feed.isEmpty else { return nil }
        var rows: [TransferID: TransferSnapshot] = [:]
        rows.reserveCapacity(feed.changed.count)
        for id in feed.changed {
            guard let index = index(of: id) else { continue }
            let row = ask(index) { $0.show(at: now) }
            rows[id] = detailsStore.bounded(row, at: now)
        }
        var update = Update(
            base: feed.number, number: feed.number + 1, rows: rows, removed: feed.removed,
            order: feed.isOrderChanged ? order : nil, totals: totals(at: now),
            seconds: feed.seconds, events: feed.events, details: takeDetails(at: now), at: now)
        update.addedAgain = feed.addedAgain
        update.hookCalls = feed.hookCalls
        update.hostUse = hostUse
        feed.clear()
        return update
    }

    /// The whole state, which follows the last update.
    ///
    /// - Parameters:
    ///   - origin: the calendar time of moment zero.
    ///   - log: the latest log entries, oldest first.
    package func snapshot(at now: Moment, origin: UnixTime, log: [LogEntry] = []) -> QueueSnapshot {
        QueueSnapshot(
            number: feed.number, at: now, origin: origin, rows: order.compactMap { row($0, at: now) },
            totals: totals(at: now), settings: settings, seconds: feed.history.seconds, details: details(at: now),
            log: log)
    }

    /// What is shown of a transfer; `nil` for one that is not there.
    package func row(_ id: TransferID, at now: Moment) -> TransferSnapshot? {
        self[id].map { detailsStore.bounded($0.row(at: now), at: now) }
    }
}
