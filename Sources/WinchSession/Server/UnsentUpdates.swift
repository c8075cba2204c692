package import WinchModel

/// What one client that follows the queue does not have yet. State is merged, never queued: rows are read from the server's copy
/// of the queue when they are sent, so a client that does not read costs a bit a row and a bounded number of events.
package struct UnsentUpdates {
    /// The number of the state that the client has; `nil`: it needs the whole.
    private var number: Int?
    private var changed: TransferSet = []
    private var removed: [TransferID] = []
    private var isOrderNews = false
    private var areTotalsNews = false
    /// There is more than movements of bytes.
    package private(set) var isNotable = false
    private var seconds: [RateHistory.Second] = []
    private var events: [FeedEvent] = []
    private var addedAgain: [Update.AddedAgain] = []
    private var details: TransferDetails?
    /// What it was sent of rows and totals that change with every update.
    private var moving = MovingRows()
    private var totals: QueueTotals?
    /// The transfer whose details it shows.
    package var watched: TransferID?
    /// Rows of the whole that follow in further lines.
    private var rest: ArraySlice<TransferID> = []
    private var restOfOrder: ArraySlice<[Int]> = []
    /// It asked for the whole only once.
    let isOnce: Bool
    private let visible: [TransferID]

    /// Rows in a line: 500 are some 150 KB.
    static let rowsInLine = 500
    /// 256 KiB: fewer rows are in a line if they may be longer together.
    private static let rowBytesInLine = 256 << 10
    /// Runs of the order in a line, at most 320 KB.
    static let runsInLine = 20_000
    /// Events, repeated additions and removals that are kept for a client, some 300 KB. One that has more to come gets the whole
    /// instead.
    static let mostEvents = 1000

    /// - Parameters:
    ///   - number: of the state that the client has.
    ///   - visible: its first rows.
    package init(knowing number: Int?, visible: [TransferID] = [], isOnce: Bool = false) {
        self.number = number
        self.visible = visible
        self.isOnce = isOnce
    }

    /// Events that it has not been sent.
    var pendingEvents: Int { events.count }

    /// All of the state has been sent.
    var isComplete: Bool { number != nil && !hasNews }

    /// Each row of the state has been sent once.
    package var isWhole: Bool { number != nil && rest.isEmpty }

    package var hasNews: Bool {
        number == nil || !rest.isEmpty || !restOfOrder.isEmpty || !changed.isEmpty || !removed.isEmpty || isOrderNews
            || areTotalsNews || !events.isEmpty || details != nil || !addedAgain.isEmpty
    }

    /// Takes note of an update that the server's copy has applied.
    package mutating func note(_ update: Update) {
        guard update.base != nil else { return startOver() }
        changed.subtract(update.removed)
        removed += update.removed
        changed.formUnion(update.rows.keys)
        isOrderNews = isOrderNews || update.order != nil
        areTotalsNews = true
        isNotable = isNotable || update.changesMore
        seconds = (seconds + update.seconds).suffix(RateGraphSpan.seconds)
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
        var next = UnsentUpdates(knowing: nil, visible: visible, isOnce: isOnce)
        next.watched = watched
        next.details = details
        self = next
    }

    /// The next line, from the server's copy.
    ///
    /// - Parameter log: the latest entries.
    package mutating func takeMessage(
        from mirror: QueueCopy, log: () -> [LogEntry], at now: Moment
    ) -> SessionUpdate {
        var message = SessionUpdate(base: number, number: mirror.number, at: now)
        setTotals(&message, mirror.totals)
        if number == nil {
            beginWhole(&message, mirror)
            isNotable = false
            message.log = log().nonEmpty
        } else if let part = takeRest(mirror) {
            setRows(&message, Array(part), mirror)
            changed.subtract(part)
        } else {
            takeChanges(&message, mirror)
        }
        if rest.isEmpty { setOrder(&message) }
        number = mirror.number
        return message
    }

    private mutating func beginWhole(_ message: inout SessionUpdate, _ mirror: QueueCopy) {
        let first = visible.filter { mirror.row($0) != nil }.prefix(Self.rowsInLine)
        if first.isEmpty {
            rest = mirror.order[...]
        } else {
            let firstOnes = TransferSet(first)
            rest = (Array(first) + mirror.order.filter { !firstOnes.contains($0) })[...]
        }
        let part = takeRest(mirror) ?? []
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

    private mutating func setRows(_ message: inout SessionUpdate, _ ids: [TransferID], _ mirror: QueueCopy) {
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

    private mutating func takeRest(_ mirror: QueueCopy) -> ArraySlice<TransferID>? {
        guard !rest.isEmpty else { return nil }
        let count = Self.fitting(rest, mirror).count
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The first ones whose rows are in a line together.
    private static func fitting(_ ids: some Sequence<TransferID>, _ mirror: QueueCopy) -> [TransferID] {
        var (fitting, bytes): ([TransferID], Int) = ([], 0)
        for id in ids.prefix(rowsInLine) {
            bytes += mirror.row(id)?.mostBytes ?? 0
            if bytes > rowBytesInLine, !fitting.isEmpty { break }
            fitting.append(id)
        }
        return fitting
    }

    private mutating func takeChanges(_ message: inout SessionUpdate, _ mirror: QueueCopy) {
        let ids = Self.fitting(changed, mirror)
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
        isNotable = !changed.isEmpty
    }

    private mutating func prepareOrder(_ mirror: QueueCopy) {
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

extension Update {
    /// Not only bytes have moved.
    fileprivate var changesMore: Bool {
        order != nil || !removed.isEmpty || !addedAgain.isEmpty || !details.isEmpty
            || rows.contains { $0.value.phase != .moving }
    }
}

extension TransferSnapshot {
    /// Bytes of its line in the protocol, at most or about.
    fileprivate var mostBytes: Int {
        // A control character takes six bytes; the name is in the path once more.
        var bytes = 400 + 6 * (2 * name.utf8.count + host.utf8.count)
        if let split { bytes += 50 * (split.onDisk.count + split.working.count) }
        return bytes
    }
}

extension Array {
    /// `nil` for an empty one, which the protocol leaves out.
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
