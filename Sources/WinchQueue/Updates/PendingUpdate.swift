import WinchModel

/// What the subscribers have not been told yet, and the number of the state that they have.
package struct PendingUpdate: Sendable {
    /// Counts the updates that were taken. 0: the subscribers know the empty queue.
    package private(set) var number = 0
    /// The total rate of the last seconds; stays when the rest is told.
    private(set) var history = RateHistory()
    private(set) var changed: TransferSet = []
    private(set) var removed: [TransferID] = []
    private(set) var isOrderChanged = false
    private(set) var areTotalsChanged = false
    private(set) var seconds: [RateHistory.Second] = []
    private(set) var events: [FeedEvent] = []
    private(set) var addedAgain: [Update.AddedAgain] = []
    private(set) var hookCalls: [HookCall] = []
    /// The last rebase of each of the queue's own bars; stays when the rest is told.
    private(set) var rebases: [Direction: Rebase] = [:]
    /// Of the bar of both directions together.
    private(set) var wholeRebase: Rebase?

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
        history.append(second)
        areTotalsChanged = true
    }

    mutating func append(_ again: Update.AddedAgain) { addedAgain.append(again) }

    mutating func append(_ call: HookCall) { hookCalls.append(call) }

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
    /// The step may have moved bars back.
    mutating func noteRebase(_ step: SumsSnapshot.Step, _ cause: Rebase.Cause, of direction: Direction, at now: Moment)
    {
        guard step.isShownBackwards || step.isWholeBackwards else { return }
        let rebase = step.rebase(cause, at: now)
        if step.isShownBackwards { rebases[direction] = rebase }
        if step.isWholeBackwards { wholeRebase = rebase }
    }

    /// The bars count in another unit.
    mutating func noteModeChange(of directions: [Direction], isWhole: Bool, at now: Moment) {
        let rebase = Rebase(cause: .modeChanged, at: now, completed: 0, total: 0)
        for direction in directions { rebases[direction] = rebase }
        if isWhole { wholeRebase = rebase }
    }

    /// Empties it: everything has been told with the next number. The last rebase of each bar and the last rates stay.
    mutating func clear() {
        var next = PendingUpdate()
        (next.number, next.history, next.rebases) = (number + 1, history, rebases)
        next.wholeRebase = wholeRebase
        self = next
    }
}
