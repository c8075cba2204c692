/// What changed since the face last took one: the only thing that a face ever learns of the engine.
public struct Update: Sendable, Codable {
    /// Changed and new rows, whole; the last state of each.
    public var rows: [TransferID: RowState]
    public var removed: [TransferID]
    /// The queue's order, only when it changed.
    public var order: [TransferID]?
    public var totals: QueueTotals
    /// Seconds of the total rate that have ended, ascending.
    public var seconds: [RateHistory.Second]
    /// What happened, in order; for faces that write it down.
    public var events: [FeedEvent]
    /// Of the transfer that is watched, only when something in them changed.
    public var details: TransferDetails?
    /// Transfers that were added once more, in order.
    public var addedAgain: [AddedAgain] = []
    public var at: Moment

    /// What became of an entry that asks for the same file as a transfer of the list.
    public struct AddedAgain: Hashable, Sendable, Codable {
        public var id: TransferID
        /// It had settled, and runs once more.
        public var isStartedAnew: Bool

        public init(id: TransferID, isStartedAnew: Bool) {
            (self.id, self.isStartedAnew) = (id, isStartedAnew)
        }
    }

    public init(
        rows: [TransferID: RowState] = [:], removed: [TransferID] = [], order: [TransferID]? = nil,
        totals: QueueTotals = QueueTotals(), seconds: [RateHistory.Second] = [], events: [FeedEvent] = [],
        details: TransferDetails? = nil, at: Moment
    ) {
        self.rows = rows
        self.removed = removed
        self.order = order
        self.totals = totals
        self.seconds = seconds
        self.events = events
        self.details = details
        self.at = at
    }

    /// Makes this the change from before `self` to after `next`.
    public mutating func merge(_ next: Update) {
        for id in next.removed { rows[id] = nil }
        rows.merge(next.rows) { _, new in new }
        removed += next.removed
        order = next.order ?? order
        totals = next.totals
        seconds = (seconds + next.seconds).suffix(RateHistory.span)
        details = next.details ?? details
        at = next.at
        addedAgain += next.addedAgain
        for event in next.events { append(event) }
    }

    /// Adds an event; a `moved` right after another of the same transfer becomes one.
    public mutating func append(_ event: FeedEvent) {
        if let last = events.indices.last, events[last].join(event) { return }
        events.append(event)
    }
}
