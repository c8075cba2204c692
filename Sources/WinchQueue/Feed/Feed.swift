import WinchModel

/// What the front end has not been told yet.
package struct Feed: Sendable {
    private(set) var changed: TransferSet = []
    private(set) var removed: [TransferID] = []
    private(set) var isOrderChanged = false
    private(set) var areTotalsChanged = false
    private(set) var seconds: [RateHistory.Second] = []
    private(set) var events: [FeedEvent] = []
    private(set) var addedAgain: [Update.AddedAgain] = []
    /// The last rebase of each of the queue's own bars; stays when the rest is told.
    private(set) var rebases: [Direction: Rebase] = [:]

    var isEmpty: Bool {
        changed.isEmpty && removed.isEmpty && !isOrderChanged && !areTotalsChanged && events.isEmpty
            && addedAgain.isEmpty
    }

    /// Appends an event, or joins it to the last.
    mutating func append(_ event: FeedEvent) {
        if let last = events.indices.last, events[last].join(event) { return }
        events.append(event)
    }

    /// Appends a second of the total rate.
    mutating func append(_ second: RateHistory.Second) {
        seconds.append(second)
        areTotalsChanged = true
    }

    mutating func append(_ again: Update.AddedAgain) { addedAgain.append(again) }

    mutating func noteChange(of id: TransferID) { changed.insert(id) }

    mutating func noteTotals() { areTotalsChanged = true }

    /// Order and totals: transfers joined, left or moved.
    mutating func noteOrder() { (isOrderChanged, areTotalsChanged) = (true, true) }

    /// Transfers left the list: nothing more is told of them than that.
    mutating func noteRemoved(_ ids: [TransferID]) {
        changed.subtract(ids)
        removed += ids
    }

    /// The queue's own bar moved back.
    mutating func noteRebase(_ rebase: Rebase, of direction: Direction) { rebases[direction] = rebase }

    /// Empties it; the last rebase of each bar stays.
    mutating func clear() {
        var next = Feed()
        next.rebases = rebases
        self = next
    }
}
