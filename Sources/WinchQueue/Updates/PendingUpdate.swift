package import WinchModel

/// What the subscribers have not been told yet, and the number of the state that they have.
package struct PendingUpdate: Sendable {
    /// Counts the updates that were taken. 0: the subscribers know the empty queue.
    package private(set) var number = 0
    /// The total rate of the last seconds; stays when the rest is told.
    private(set) var history = RateHistory()
    private(set) var changed: TransferSet = []
    private(set) var removed: [TransferID] = []
    /// Transfers that joined at the end of the order.
    private(set) var appended = 0
    /// The order has changed otherwise.
    private(set) var isOrderChanged = false
    private(set) var areTotalsChanged = false
    private(set) var seconds: [RateHistory.Second] = []
    private(set) var events: [FeedEvent] = []
    var addedAgain: [Update.AddedAgain] = []
    var hookCalls: [HookCall] = []
    /// Why entries were not added, and uploads not started, for the user. For the reply to what asked for them: subscribers see
    /// it in the rows.
    var refused: [String] = []
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

    mutating func append(_ second: RateHistory.Second?) {
        guard let second else { return }
        seconds.append(second)
        history.append(second)
        areTotalsChanged = true
    }

    mutating func noteChange(of id: TransferID) { changed.insert(id) }

    mutating func noteTotals() { areTotalsChanged = true }

    /// Order and totals: transfers joined at the end.
    mutating func noteAppended(_ count: Int) {
        appended += count
        areTotalsChanged = true
    }

    /// Order and totals: transfers left, came back or moved.
    mutating func noteOrder() { (isOrderChanged, areTotalsChanged) = (true, true) }

    /// Transfers left the list: nothing more is told of them than that.
    mutating func noteRemoved(_ ids: [TransferID]) {
        changed.subtract(ids)
        removed += ids
    }

    /// The step may have moved bars back.
    mutating func noteRebase(_ step: SumsSnapshot.Step, _ cause: Rebase.Cause, of direction: Direction, at now: Moment)
    {
        guard step.isShownBackwards || step.isWholeBackwards else { return }
        let rebase = Rebase(cause: cause, at: now, completed: step.shown.completed, total: step.shown.total)
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

extension TransferQueue {
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
            totals: totals(at: now), seconds: feed.seconds, events: feed.events, details: takeDetails(at: now), at: now)
        update.order = orderChange
        update.addedAgain = feed.addedAgain
        update.hookCalls = feed.hookCalls
        update.hostUse = hostUse
        feed.clear()
        return update
    }

    private var orderChange: OrderChange? {
        // The first ones replace those of a preview.
        if feed.isOrderChanged || feed.appended > 0 && feed.appended == order.count { return .whole(order) }
        return feed.appended > 0 ? .appended(Array(order.suffix(feed.appended))) : nil
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

extension Update {
    /// The first rows of a list as they look before the queue has it. The queue gives them the same ids. It leaves the
    /// subscriber in state 0, so that the queue's first update applies to it.
    ///
    /// - Parameters:
    ///   - additions: the first of the run.
    ///   - isReading: more follow.
    package static func preview(
        of additions: [Addition], settings: QueueSettings, isReading: Bool, at now: Moment
    ) -> Update? {
        var queue = TransferQueue(settings: settings)
        queue.add(additions, at: now)
        queue.state.isReading = isReading
        var update = queue.takeUpdate(at: now)
        update?.events = []
        update?.base = 0
        update?.number = 0
        update?.totals.isStarting = true
        return update
    }
}
