/// The changes of the queue since the subscriber took the last update, or the whole queue. A subscriber gets nothing else from
/// the engine.
package struct Update: Sendable {
    /// The number of the state that this update changes. `nil`: it contains the whole state, and every other one is void.
    package var base: Int?
    /// The number of the state after this update. A queue counts its states from 0, the empty queue.
    package var number: Int
    /// The latest state of each new or changed row.
    package var rows: [TransferID: TransferSnapshot]
    package var removed: [TransferID]
    /// `nil` when the queue's order did not change.
    package var order: OrderChange?
    package var totals: QueueTotals
    /// The total rate in each second that has ended since the last update, ascending.
    package var seconds: [RateHistory.Second]
    /// Events in order, for front ends that write them.
    package var events: [FeedEvent]
    /// Details of the watched transfers, where they changed; each transfer once.
    package var details: [TransferDetails]
    /// Transfers of the list that were added again, in order.
    package var addedAgain: [AddedAgain] = []
    /// The commands that are due, in order. An `UpdateBuffer` does not pass them on.
    package var hookCalls: [HookCall] = []
    /// What the queue has and wants at each host; `nil` unless `Command.shareHosts` was sent.
    package var hostUse: [HostUse]?
    /// With the whole state, or soon after it: the latest log entries before it, oldest first. Empty otherwise, because a
    /// subscriber makes the entries of `events` itself.
    package var log: [LogEntry] = []
    package var at: Moment

    /// An added entry that asks for the same file as a transfer that is already in the list.
    package struct AddedAgain: Hashable, Sendable, Codable {
        package var id: TransferID
        /// The transfer had settled and was started again.
        package var isStartedAnew: Bool

        package init(id: TransferID, isStartedAnew: Bool) { (self.id, self.isStartedAnew) = (id, isStartedAnew) }
    }

    /// - Parameter order: the whole order; `nil` when it did not change.
    package init(
        base: Int? = 0, number: Int = 0, rows: [TransferID: TransferSnapshot] = [:], removed: [TransferID] = [],
        order: [TransferID]? = nil,
        totals: QueueTotals = QueueTotals(), seconds: [RateHistory.Second] = [], events: [FeedEvent] = [],
        details: [TransferDetails] = [], at: Moment
    ) {
        (self.base, self.number) = (base, number)
        (self.rows, self.removed, self.order, self.totals) = (rows, removed, order.map(OrderChange.whole), totals)
        (self.seconds, self.events, self.details, self.at) = (seconds, events, details, at)
    }

    package init(_ snapshot: QueueSnapshot) {
        self.init(
            base: nil, number: snapshot.number,
            rows: Dictionary(snapshot.rows.map { ($0.id, $0) }) { _, new in new },
            order: snapshot.rows.map(\.id), totals: snapshot.totals, seconds: snapshot.seconds,
            details: snapshot.details, at: snapshot.at)
        log = snapshot.log
    }

    /// Combines two consecutive updates into one. The whole state replaces all that was before it.
    package mutating func merge(_ next: Update) {
        guard next.base != nil else { return self = next }
        number = next.number
        for id in next.removed { rows[id] = nil }
        rows.merge(next.rows) { _, new in new }
        removed += next.removed
        if let change = next.order { append(change) }
        totals = next.totals
        seconds = (seconds + next.seconds).suffix(RateGraphSpan.seconds)
        details.removeAll { old in next.details.contains { $0.id == old.id } }
        details += next.details
        at = next.at
        hostUse = next.hostUse ?? hostUse
        addedAgain += next.addedAgain
        log += next.log
        for event in next.events { append(event) }
        dropRepeated()
    }

    /// Adds a change of the order, which follows those before.
    package mutating func append(_ change: OrderChange) {
        if order == nil { order = change } else { order?.append(change) }
    }

    /// Adds an event. Two consecutive `moved` events of the same transfer are merged.
    package mutating func append(_ event: FeedEvent) {
        if let last = events.indices.last, events[last].join(event) { return }
        events.append(event)
    }

    /// Bounds the lists in which a transfer can be more than once: it can be removed, restored and added again any number of
    /// times while the update is not taken.
    private mutating func dropRepeated() {
        let most = 1024 + 2 * max(rows.count, totals.count)
        if removed.count > most {
            var seen: Set<TransferID> = []
            removed.removeAll { !seen.insert($0).inserted }
        }
        if addedAgain.count > most {
            var seen: Set<TransferID> = []
            addedAgain = addedAgain.reversed().filter { seen.insert($0.id).inserted }.reversed()
        }
    }
}

/// How the order of the queue has changed. An addition at its end costs what was added, not the length of the queue.
package enum OrderChange: Hashable, Sendable {
    /// The order from now on.
    case whole([TransferID])
    case appended([TransferID])

    package var isWhole: Bool { if case .whole = self { true } else { false } }

    package var ids: [TransferID] {
        switch self {
        case .whole(let ids), .appended(let ids): ids
        }
    }

    package func apply(to order: inout [TransferID]) {
        switch self {
        case .whole(let ids): order = ids
        case .appended(let ids): order += ids
        }
    }

    /// Makes it and the change after it one.
    mutating func append(_ next: OrderChange) {
        let isWhole = isWhole || next.isWhole
        var ids = ids
        // Nothing else refers to the ids: they are not copied.
        self = .appended([])
        next.apply(to: &ids)
        self = isWhole ? .whole(ids) : .appended(ids)
    }
}

/// The whole state of the queue at one instant, as a subscriber without any earlier state needs it. Differences (`Update`) whose
/// `base` is `number` continue it.
///
/// Text in it comes from servers and batch files: the front end must escape it before it is shown.
package struct QueueSnapshot: Sendable {
    /// The number of this state; see `Update.number`.
    package var number: Int
    package var at: Moment
    /// The calendar time at which the clock of all moments in it reads zero. Another process needs it, because the clock's
    /// origin is different there. It changes when the machine sleeps, during which that clock stands still.
    package var origin: UnixTime
    package var rows: [TransferSnapshot]
    package var totals: QueueTotals
    /// The present settings, with the changes that were made while the queue runs.
    package var settings: QueueSettings
    /// The total rate in each of the last 120 seconds, ascending.
    package var seconds: [RateHistory.Second]
    package var details: [TransferDetails]
    /// The latest log entries, oldest first.
    package var log: [LogEntry]

    package init(
        number: Int, at: Moment, origin: UnixTime, rows: [TransferSnapshot], totals: QueueTotals,
        settings: QueueSettings,
        seconds: [RateHistory.Second] = [], details: [TransferDetails] = [], log: [LogEntry] = []
    ) {
        (self.number, self.at, self.origin) = (number, at, origin)
        (self.rows, self.totals, self.settings) = (rows, totals, settings)
        (self.seconds, self.details, self.log) = (seconds, details, log)
    }
}
