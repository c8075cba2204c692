/// Turns updates into log entries: the events of transfers, and changes of the queue's settings.
package struct LogEntryBuilder: Sendable {
    private var settings: Settings?

    /// The settings that may change while the queue runs.
    private struct Settings: Hashable {
        var slots: Int
        var rateLimit: ByteRate?
        var uploadLimit: ByteRate?
        var mode: ProgressMode
        var isHeld: Bool

        init(_ totals: QueueTotals) {
            (slots, rateLimit, mode, isHeld) = (totals.slots, totals.rateLimit, totals.mode, totals.isHeld)
            uploadLimit = totals.uploadLimit
        }
    }

    package init() {}

    /// Makes the entries for the next update; call it once for each, in order.
    ///
    /// - Parameter most: how many events are used; when the update has more, only the latest.
    package mutating func entries(for update: Update, atMost most: Int = .max) -> [LogEntry] {
        var entries: [LogEntry] = []
        var reopened = Reopened()
        let first = update.events.count - min(most, update.events.count)
        for (index, event) in update.events.enumerated() {
            // Transfers of an earlier run are no news: there may be a hundred thousand, so they get one line together.
            if reopened.take(event) || index < first { continue }
            if let entry = reopened.takeEntry() { entries.append(entry) }
            if let entry = LogEntry(event, name: event.id.flatMap { update.rows[$0]?.name }) { entries.append(entry) }
        }
        if let entry = reopened.takeEntry() { entries.append(entry) }
        let now = Settings(update.totals)
        if let before = settings, before != now { entries += changes(from: before, to: now, at: update.at) }
        settings = now
        return entries
    }

    private func changes(from before: Settings, to now: Settings, at moment: Moment) -> [LogEntry] {
        var changes: [(String, String)] = []
        if before.slots != now.slots { changes.append(("simultaneous downloads", "\(now.slots)")) }
        if before.rateLimit != now.rateLimit {
            changes.append(("total rate limit", now.rateLimit.map(NumberFormat.rate) ?? "none"))
        }
        if before.uploadLimit != now.uploadLimit {
            changes.append(("rate limit of uploads", now.uploadLimit.map(NumberFormat.rate) ?? "none"))
        }
        if before.mode != now.mode { changes.append(("bar counts", now.mode == .accurate ? "bytes" : "files")) }
        if before.isHeld != now.isHeld { changes.append(("all downloads", now.isHeld ? "paused" : "resumed")) }
        return changes.map { LogEntry(at: moment, subject: .setting(name: $0.0, value: $0.1)) }
    }
}

/// Collects consecutive `reopened` events, so that they are logged as one line.
private struct Reopened {
    private var counts: [String: Int] = [:]
    private var last: TransferID?
    private var at: Moment?

    /// - Returns: whether the event belongs to the line and needs no entry of its own.
    mutating func take(_ event: FeedEvent) -> Bool {
        switch event.kind {
        case .reopened(_, _, let standing):
            counts[standing.word, default: 0] += 1
            (last, at) = (event.id, event.at)
            return true
        // A finished transfer of an earlier run is followed by its `finished` event; the line counts it already.
        case .finished where event.id == last && event.id != nil: return true
        default: return false
        }
    }

    /// The line for the events since the last call; `nil` without any.
    mutating func takeEntry() -> LogEntry? {
        guard let at else { return nil }
        defer { self = Reopened() }
        let count = counts.values.reduce(0, +)
        let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let words =
            "\(count) \(count == 1 ? "transfer" : "transfers") from an earlier run (\(parts.joined(separator: ", ")))"
        return LogEntry(at: at, subject: .userMessage(words, .info))
    }
}
