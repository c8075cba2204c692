package import WinchModel

/// What one client that follows the queue does not have yet. State is merged, never queued: rows are read from the server's copy
/// of the queue when they are sent, so a client that does not read costs a bit a row and a bounded number of events.
package struct UnsentUpdates {
    /// The number of the state that the client has; `nil`: it needs the whole.
    private var number: Int?
    private var changed: TransferSet = []
    private var removed: TransferSet = []
    private var isOrderNews = false
    /// Transfers at the end of the order that it does not have yet; void with `isOrderNews`.
    private var appended = 0
    private var areTotalsNews = false
    /// There is more than movements of bytes.
    package private(set) var isNotable = false
    /// The settings of the queue in the last update.
    private var settings: QueueSettings?
    /// The last line was full: the rest of the same state follows.
    private var isContinued = false
    private var seconds: [RateHistory.Second] = []
    private(set) var events: [FeedEvent] = []
    private var addedAgain: [Update.AddedAgain] = []
    private var details: TransferDetails?
    /// What it was sent of rows and totals that change with every update.
    private var moving = MovingRows()
    private var totals: QueueTotals?
    package var watched: TransferID?
    /// Rows of the whole that follow in further lines.
    private var rest: ArraySlice<TransferID> = []
    private var restOfOrder: ArraySlice<[Int]> = []
    /// The log at the time of the whole, which follows the rows.
    private var log: [LogEntry] = []
    /// It asked for the whole only once.
    let isOnce: Bool
    private let visible: [TransferID]
    /// It takes what joins at the end of the order without the rest of it.
    private let takesAppended: Bool

    /// Rows in the first line, at most: more than a screen has. They and the totals are some 20 KB, which a slow line brings soon.
    static let firstRows = 64
    /// 64 KiB by the estimate, which is two to three times what rows take.
    private static let firstRowBytes = 64 << 10
    /// Rows in a line: 500 are some 150 KB.
    static let rowsInLine = 500
    /// 256 KiB: fewer rows are in a line if they may be longer together.
    private static let rowBytesInLine = 256 << 10
    /// Runs of the order in a line, at most 320 KB.
    static let runsInLine = 20_000
    /// 256 KiB: events with long URLs come in several lines, and of the log the latest entries that fit.
    private static let eventBytesInLine = 256 << 10
    /// Removals in a line, at most 50 KB.
    static let removedInLine = 5000
    /// Events, and repeated additions, that are kept for a client, as many as its log has. One that reads too slowly for all of
    /// them misses the oldest.
    static let mostEvents = RecentLog.most

    /// - Parameter visible: its first rows.
    package init(visible: [TransferID] = [], isOnce: Bool = false, takesAppended: Bool = false) {
        (self.visible, self.isOnce, self.takesAppended) = (visible, isOnce, takesAppended)
    }

    var isComplete: Bool { number != nil && !hasNews }

    /// Each row of the state has been sent once.
    package var isWhole: Bool { number != nil && rest.isEmpty }

    /// The next line belongs to the last one, and does not wait.
    var isWithinState: Bool { isContinued || !isWhole }

    package var hasNews: Bool {
        number == nil || !rest.isEmpty || !restOfOrder.isEmpty || !changed.isEmpty || !removed.isEmpty || isOrderNews
            || appended > 0 || areTotalsNews || !events.isEmpty || details != nil || !addedAgain.isEmpty || !log.isEmpty
    }

    /// Takes note of an update that the server's copy has applied.
    package mutating func note(_ update: Update) {
        guard update.base != nil else { return startOver() }
        changed.subtract(update.removed)
        removed.formUnion(update.removed)
        changed.formUnion(update.rows.keys)
        switch update.order {
        case .appended(let ids)? where takesAppended: appended += ids.count
        case .whole?, .appended?: isOrderNews = true
        case nil: break
        }
        areTotalsNews = true
        let settings = QueueSettings().changed(by: update.totals)
        isNotable = isNotable || update.changesMore || settings != self.settings
        self.settings = settings
        // What a client of the state alone does not show.
        guard !isOnce else { return }
        seconds = (seconds + update.seconds).suffix(RateGraphSpan.seconds)
        for event in update.events {
            // Its row says so.
            if case .moved = event.kind { continue }
            if let last = events.indices.last, events[last].join(event) { continue }
            events.append(event)
        }
        events.removeFirst(max(0, events.count - Self.mostEvents))
        addedAgain = (addedAgain + update.addedAgain).suffix(Self.mostEvents)
        if let watched, let own = update.details.first(where: { $0.id == watched }) { details = own }
    }

    private mutating func startOver() {
        var next = UnsentUpdates(visible: visible, isOnce: isOnce, takesAppended: takesAppended)
        next.watched = watched
        next.details = details
        self = next
    }

    /// The next line, from the server's copy.
    ///
    /// - Parameter log: the latest entries.
    package mutating func takeMessage(
        from copy: QueueCopy, log: () -> [LogEntry], at now: Moment
    ) -> SessionUpdate {
        var message = SessionUpdate(base: number, number: copy.number, at: now)
        setTotals(&message, copy.totals)
        if number == nil {
            beginWhole(&message, copy)
            (isNotable, settings) = (false, QueueSettings().changed(by: copy.totals))
            if !isOnce { (self.log, seconds) = (Self.fitting(log()), copy.history.seconds) }
            areTotalsNews = !seconds.isEmpty
            isContinued = areTotalsNews || !self.log.isEmpty
        } else if let part = takeRest(copy) {
            setRows(&message, Array(part), copy)
            changed.subtract(part)
            // A row that was removed and came back meanwhile: the client has it only from now on.
            if !removed.isEmpty { removed.subtract(part.filter { copy.row($0) != nil }) }
        } else if !self.log.isEmpty {
            message.log = self.log
            self.log = []
            isContinued = hasNews
        } else {
            takeChanges(&message, copy)
        }
        if rest.isEmpty { setOrder(&message) }
        number = copy.number
        return message
    }

    private mutating func beginWhole(_ message: inout SessionUpdate, _ copy: QueueCopy) {
        let asked = visible.filter { copy.row($0) != nil }.prefix(Self.firstRows)
        let first = asked.isEmpty ? Self.firstShown(copy) : asked
        let firstOnes = TransferSet(first)
        rest = (Array(first) + copy.order.filter { !firstOnes.contains($0) })[...]
        let part = takeRest(copy, atMost: Self.firstRows, Self.firstRowBytes) ?? []
        setRows(&message, Array(part), copy)
        message.details = details
        details = nil
        // Until all rows are there, the list is as long as what is.
        if rest.isEmpty {
            prepareOrder(copy)
        } else {
            message.order = OrderRuns.runs(copy.order.filter(Set(part).contains))
        }
        (isOrderNews, appended) = (!rest.isEmpty, 0)
        (changed, removed, events, addedAgain, seconds, areTotalsNews) = ([], [], [], [], [], false)
    }

    /// The rows that a dashboard shows first: as `Selection.follow` of the screen it begins with the list, or a quarter of the view
    /// above the first unsettled row.
    private static func firstShown(_ copy: QueueCopy) -> ArraySlice<TransferID> {
        let order = copy.order
        let unsettled = order.firstIndex { copy.row($0)?.phase.isSettled == false } ?? 0
        let above = firstRows / 4
        guard unsettled >= firstRows - above else { return order.prefix(firstRows) }
        return order[min(unsettled - above, max(0, order.count - firstRows))...].prefix(firstRows)
    }

    private mutating func setRows(_ message: inout SessionUpdate, _ ids: [TransferID], _ copy: QueueCopy) {
        var rows: [RowMessage] = []
        var motions: [MotionMessage] = []
        for row in ids.compactMap({ copy.row($0) }) {
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

    private mutating func takeRest(
        _ copy: QueueCopy, atMost rows: Int = rowsInLine, _ bytes: Int = rowBytesInLine
    ) -> ArraySlice<TransferID>? {
        guard !rest.isEmpty else { return nil }
        let count = Self.fitting(rest, copy, atMost: rows, bytes).count
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// The first ones whose rows are in a line together.
    private static func fitting(
        _ ids: some Sequence<TransferID>, _ copy: QueueCopy, atMost rows: Int = rowsInLine,
        _ most: Int = rowBytesInLine
    ) -> [TransferID] {
        var (fitting, bytes): ([TransferID], Int) = ([], 0)
        for id in ids.prefix(rows) {
            bytes += copy.row(id)?.mostBytes ?? 0
            if bytes > most, !fitting.isEmpty { break }
            fitting.append(id)
        }
        return fitting
    }

    /// The latest ones that are in a line together.
    private static func fitting(_ log: [LogEntry]) -> [LogEntry] {
        var bytes = 0
        let tooOld = log.lastIndex { entry in
            bytes += entry.mostBytes
            return bytes > eventBytesInLine
        }
        return Array(log[(tooOld.map { $0 + 1 } ?? 0)...])
    }

    /// The first ones that are in a line together; at least one.
    private mutating func takeEvents() -> [FeedEvent] {
        var bytes = 0
        let end = events.firstIndex { event in
            bytes += event.kind.mostBytes
            return bytes > Self.eventBytesInLine
        }
        let taken = events.prefix(max(1, end ?? events.count))
        events.removeFirst(taken.count)
        return Array(taken)
    }

    private mutating func takeChanges(_ message: inout SessionUpdate, _ copy: QueueCopy) {
        let gone = Array(removed.prefix(Self.removedInLine))
        removed.subtract(gone)
        // A row that was removed and came back is sent after its removal.
        let ids = removed.isEmpty ? Self.fitting(changed, copy) : []
        setRows(&message, ids, copy)
        changed.subtract(ids)
        message.removed = gone.nonEmpty
        moving.remove(gone)
        if restOfOrder.isEmpty, removed.isEmpty, changed.isEmpty { takeOrder(&message, copy) }
        (message.seconds, message.events) = (seconds.nonEmpty, takeEvents().nonEmpty)
        (message.addedAgain, message.details) = (addedAgain.nonEmpty, details)
        (addedAgain, seconds, details, areTotalsNews) = ([], [], nil, false)
        isContinued = !removed.isEmpty || !changed.isEmpty || !events.isEmpty
        isNotable = isContinued
    }

    private mutating func takeOrder(_ message: inout SessionUpdate, _ copy: QueueCopy) {
        let runs = isOrderNews ? [] : OrderRuns.runs(Array(copy.order.suffix(appended)))
        if isOrderNews || runs.count > Self.runsInLine { prepareOrder(copy) } else { message.appended = runs.nonEmpty }
        (isOrderNews, appended) = (false, 0)
    }

    private mutating func prepareOrder(_ copy: QueueCopy) {
        restOfOrder = OrderRuns.runs(copy.order)[...]
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
    fileprivate var changesMore: Bool {
        order != nil || !removed.isEmpty || !addedAgain.isEmpty || !details.isEmpty
            || rows.contains { $0.value.phase != .moving }
    }
}

extension FeedEvent.Kind {
    /// Bytes of its JSON, at most or about. A slash takes two, a control character six.
    fileprivate var mostBytes: Int {
        switch self {
        case .added(let url, let name), .reopened(let url, let name, _):
            500 + 2 * url.utf8.count + 6 * name.utf8.count
        case .redirected(let url): 300 + 2 * url.utf8.count
        default: 1000
        }
    }
}

extension LogEntry {
    /// Bytes of its JSON, at most or about.
    fileprivate var mostBytes: Int {
        let own = 200 + 6 * (name?.utf8.count ?? 0)
        return switch subject {
        case .event(let kind, _, _): own + kind.mostBytes
        case .setting(let name, let value): own + name.utf8.count + value.utf8.count
        case .userMessage(let words, _): own + 6 * words.utf8.count
        }
    }
}

extension TransferSnapshot {
    /// Bytes of its line in the protocol, at most or about.
    fileprivate var mostBytes: Int {
        // A control character takes six bytes; the name is in the path once more.
        var bytes = 400 + 6 * (2 * name.utf8.count + host.utf8.count + folder.utf8.count)
        bytes += 2 * (urls.first?.text.utf8.count ?? 0)
        if let split { bytes += 50 * (split.onDisk.count + split.working.count) }
        return bytes
    }
}

extension Array {
    /// `nil` for an empty one, which the protocol leaves out.
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
