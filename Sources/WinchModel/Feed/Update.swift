/// The changes of the queue since the front end took the last update. A front end gets nothing else from the engine.
package struct Update: Sendable, Codable {
    /// The latest state of each new or changed row.
    package var rows: [TransferID: TransferSnapshot]
    package var removed: [TransferID]
    /// The queue's order; `nil` when it did not change.
    package var order: [TransferID]?
    package var totals: QueueTotals
    /// The total rate in each second that has ended since the last update, ascending.
    package var seconds: [RateHistory.Second]
    /// Events in order, for front ends that write them.
    package var events: [FeedEvent]
    /// Details of the watched transfer; `nil` when they did not change.
    package var details: TransferDetails?
    /// Transfers of the list that were added again, in order.
    package var addedAgain: [AddedAgain] = []
    package var at: Moment

    /// An added entry that asks for the same file as a transfer that is already in the list.
    package struct AddedAgain: Hashable, Sendable, Codable {
        package var id: TransferID
        /// The transfer had settled and was started again.
        package var isStartedAnew: Bool

        package init(id: TransferID, isStartedAnew: Bool) {
            (self.id, self.isStartedAnew) = (id, isStartedAnew)
        }
    }

    package init(
        rows: [TransferID: TransferSnapshot] = [:], removed: [TransferID] = [], order: [TransferID]? = nil,
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

    /// Combines two consecutive updates into one.
    package mutating func merge(_ next: Update) {
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

    /// Adds an event. Two consecutive `moved` events of the same transfer are merged.
    package mutating func append(_ event: FeedEvent) {
        if let last = events.indices.last, events[last].join(event) { return }
        events.append(event)
    }
}
