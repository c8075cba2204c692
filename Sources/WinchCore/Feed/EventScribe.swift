/// Makes log entries of updates: what happened to transfers, and which settings of the queue changed.
public struct EventScribe: Sendable {
    private var settings: Settings?

    /// What may change while the queue runs.
    private struct Settings: Hashable {
        var slots: Int
        var rateLimit: ByteRate?
        var mode: ProgressMode
        var isHeld: Bool

        init(_ totals: QueueTotals) {
            (slots, rateLimit, mode, isHeld) = (totals.slots, totals.rateLimit, totals.mode, totals.isHeld)
        }
    }

    public init() {}

    /// - Parameter most: of more events than this the latest are taken.
    public mutating func entries(for update: Update, atMost most: Int = .max) -> [LogEntry] {
        var entries = update.events.suffix(most).compactMap { event in
            LogEntry(event, name: event.id.flatMap { update.rows[$0]?.name })
        }
        let now = Settings(update.totals)
        if let before = settings, before != now { entries += changes(from: before, to: now, at: update.at) }
        settings = now
        return entries
    }

    private func changes(from before: Settings, to now: Settings, at moment: Moment) -> [LogEntry] {
        var changes: [(String, String)] = []
        if before.slots != now.slots { changes.append(("the number of transfers at a time", "\(now.slots)")) }
        if before.rateLimit != now.rateLimit {
            changes.append(("the rate limit", now.rateLimit.map(Format.rate) ?? "none"))
        }
        if before.mode != now.mode { changes.append(("the queue's count", now.mode.rawValue)) }
        if before.isHeld != now.isHeld { changes.append(("the queue", now.isHeld ? "held" : "running")) }
        return changes.map { LogEntry(at: moment, subject: .setting(name: $0.0, value: $0.1)) }
    }
}
