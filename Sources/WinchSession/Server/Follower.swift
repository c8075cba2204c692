import WinchModel

/// What one client that follows the queue does not have yet. State is merged, never queued: rows are read from the server's copy
/// of the queue when they are sent, so a client that does not read costs a bit a row and a bounded number of events.
struct Follower {
    /// The number of the state that the client has; `nil`: it needs the whole.
    private var number: Int?
    private var changed: TransferSet = []
    private var removed: [TransferID] = []
    private var isOrderNews = false
    private var areTotalsNews = false
    private var seconds: [RateHistory.Second] = []
    private var events: [FeedEvent] = []
    private var addedAgain: [Update.AddedAgain] = []
    private var details: TransferDetails?
    /// What it was sent of rows and totals that change with every update.
    private var moving = MovingRows()
    private var totals: QueueTotals?
    /// The transfer whose details it shows.
    var watched: TransferID?
    /// Rows of the whole that follow in further lines.
    private var rest: ArraySlice<TransferID> = []
    private var restOfOrder: ArraySlice<[Int]> = []
    /// It asked for the whole only once.
    let isOnce: Bool
    private let visible: [TransferID]

    /// Rows in a line: 500 are some 150 KB.
    static let rowsInLine = 500
    /// Runs of the order in a line, some 700 KB.
    static let runsInLine = 50_000
    /// Events, repeated additions and removals that are kept for a client. One that has more to come gets the whole instead.
    static let mostEvents = 2000

    /// - Parameters:
    ///   - number: of the state that the client has.
    ///   - visible: its first rows.
    init(knowing number: Int?, visible: [TransferID] = [], isOnce: Bool = false) {
        self.number = number
        self.visible = visible
        self.isOnce = isOnce
    }

    /// Events that it has not been sent.
    var pendingEvents: Int { events.count }

    /// All of the state has been sent.
    var isComplete: Bool { number != nil && !hasNews }

    /// Each row of the state has been sent once.
    var isWhole: Bool { number != nil && rest.isEmpty }

    var hasNews: Bool {
        number == nil || !rest.isEmpty || !restOfOrder.isEmpty || !changed.isEmpty || !removed.isEmpty || isOrderNews
            || areTotalsNews || !events.isEmpty || details != nil || !addedAgain.isEmpty
    }

    /// Takes note of an update that the server's copy has applied.
    mutating func note(_ update: Update) {
        guard update.base != nil else { return startOver() }
        changed.subtract(update.removed)
        removed += update.removed
        changed.formUnion(update.rows.keys)
        isOrderNews = isOrderNews || update.order != nil
        areTotalsNews = true
        seconds = (seconds + update.seconds).suffix(RateHistory.span)
        for event in update.events {
            // Its row says so.
            if case .moved = event.kind { continue }
            if let last = events.indices.last, events[last].join(event) { continue }
            events.append(event)
        }
        addedAgain += update.addedAgain
        if let watched, let own = update.details.first(where: { $0.id == watched }) { details = own }
        if max(events.count, addedAgain.count, removed.count) > Self.mostEvents { startOver() }
    }

    private mutating func startOver() {
        var next = Follower(knowing: nil, visible: visible, isOnce: isOnce)
        next.watched = watched
        next.details = details
        self = next
    }

    /// The next line, from the server's copy.
    ///
    /// - Parameter log: the latest entries.
    mutating func takeMessage(
        from mirror: QueueMirror, log: () -> [LogEntry], at now: Moment
    ) -> SessionUpdate {
        var message = SessionUpdate(base: number, number: mirror.number, at: now)
        setTotals(&message, mirror.totals)
        if number == nil {
            beginWhole(&message, mirror)
            message.log = log().nonEmpty
        } else if let part = takeRest() {
            setRows(&message, Array(part), mirror)
            changed.subtract(part)
        } else {
            takeChanges(&message, mirror)
        }
        if rest.isEmpty { setOrder(&message) }
        number = mirror.number
        return message
    }

    private mutating func beginWhole(_ message: inout SessionUpdate, _ mirror: QueueMirror) {
        let first = visible.filter { mirror.row($0) != nil }.prefix(Self.rowsInLine)
        if first.isEmpty {
            rest = mirror.order[...]
        } else {
            let firstOnes = TransferSet(first)
            rest = (Array(first) + mirror.order.filter { !firstOnes.contains($0) })[...]
        }
        let part = takeRest() ?? []
        setRows(&message, Array(part), mirror)
        message.seconds = mirror.history.seconds.nonEmpty
        message.details = details
        details = nil
        // Until all rows are there, the list is as long as what is.
        if rest.isEmpty {
            prepareOrder(mirror)
        } else {
            message.order = OrderRuns.runs(mirror.order.filter(Set(part).contains))
        }
        isOrderNews = !rest.isEmpty
        (changed, removed, events, addedAgain, seconds, areTotalsNews) = ([], [], [], [], [], false)
    }

    private mutating func setRows(_ message: inout SessionUpdate, _ ids: [TransferID], _ mirror: QueueMirror) {
        var rows: [RowMessage] = []
        var motions: [MotionMessage] = []
        for row in ids.compactMap({ mirror.row($0) }) {
            if let motion = moving[row.id].flatMap({ MotionMessage(from: $0, to: row) }) {
                motions.append(motion)
            } else {
                rows.append(RowMessage(row))
            }
            moving.note(row)
        }
        (message.rows, message.motions) = (rows.nonEmpty, motions.nonEmpty)
    }

    private mutating func setTotals(_ message: inout SessionUpdate, _ new: QueueTotals) {
        message.totalsMotion = totals.flatMap { TotalsMotion(from: $0, to: new) }
        if message.totalsMotion == nil { message.totals = new }
        totals = new
    }

    private mutating func takeRest() -> ArraySlice<TransferID>? {
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(Self.rowsInLine) }
        return rest.prefix(Self.rowsInLine)
    }

    private mutating func takeChanges(_ message: inout SessionUpdate, _ mirror: QueueMirror) {
        let ids = Array(changed.prefix(Self.rowsInLine))
        setRows(&message, ids, mirror)
        changed.subtract(ids)
        message.removed = removed.nonEmpty
        moving.remove(removed)
        if restOfOrder.isEmpty, isOrderNews, changed.isEmpty {
            prepareOrder(mirror)
            isOrderNews = false
        }
        (message.seconds, message.events) = (seconds.nonEmpty, events.nonEmpty)
        (message.addedAgain, message.details) = (addedAgain.nonEmpty, details)
        (removed, events, addedAgain, seconds, details, areTotalsNews) = ([], [], [], [], nil, false)
    }

    private mutating func prepareOrder(_ mirror: QueueMirror) {
        restOfOrder = OrderRuns.runs(mirror.order)[...]
        if restOfOrder.isEmpty { restOfOrder = [[]] }
    }

    private mutating func setOrder(_ message: inout SessionUpdate) {
        guard !restOfOrder.isEmpty else { return }
        message.order = restOfOrder.prefix(Self.runsInLine).filter { !$0.isEmpty }
        restOfOrder = restOfOrder.dropFirst(Self.runsInLine)
        message.hasMoreOrder = restOfOrder.isEmpty ? nil : true
    }
}

extension Array {
    /// `nil` for an empty one, which the protocol leaves out.
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
