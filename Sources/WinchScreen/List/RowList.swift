import WinchModel

/// The rows that the table shows and their order: all rows on the board that belong to the view and match the filter,
/// sorted.
///
/// A row that no longer belongs to the list is removed at once. In a sorted list other rows are moved and inserted at
/// most once a second, so that a row does not move away while the user is about to select it.
struct RowList: Sendable {
    private(set) var view = ListTab.all
    /// The filter as typed, not trimmed.
    private(set) var filterText = ""
    private(set) var sort = RowSort()
    private(set) var times = RowTimes()
    /// What the table shows, from top to bottom; while the rows are grouped, also the ids of folders.
    private(set) var order: [TransferID] = []
    /// Counts how often `order` has changed other than at its end.
    private(set) var revision = 0
    /// The rows by folder; `nil`: they are not grouped.
    private(set) var tree: FolderTree?
    private var filter = RowFilter("")
    private var asks = FailureQuestions()
    /// The ids in `order`, for fast lookup; empty while all rows are shown.
    private var members: TransferSet = []
    private var sortedAt: Moment?
    /// Something changed that may change the order, which is then sorted so long after the last time.
    private var outdated: Duration?

    var isWhole: Bool { view == .all && filter.isEmpty }
    var isInQueueOrder: Bool { isWhole && sort.isQueueOrder }
    /// The number of rows that the view and the filter show, also those in closed folders.
    var count: Int {
        guard let tree else { return order.count }
        if isWhole { return tree.count }
        // Those that list folders only where the queue has nothing else.
        guard tree.withoutLine.count < tree.count else { return members.count }
        var lined = members
        lined.subtract(tree.withoutLine)
        return lined.count
    }
    var isFiltered: Bool { !filter.isEmpty }

    /// Least time between two sorts: long enough for the user to read a row and press a key on it.
    private static let minSortInterval = Duration.seconds(1)
    /// Least time between two lists of the lines while rows are appended: a long one takes milliseconds.
    private static let minGroupInterval = Duration.milliseconds(100)

    /// When the rows must be sorted again; `nil`: nothing has changed.
    var due: Moment? { outdated.flatMap { wait in sortedAt.map { $0 + wait } } }

    mutating func show(_ view: ListTab, _ board: QueueCopy, at now: Moment) {
        self.view = view
        arrange(board, at: now)
    }

    mutating func filter(by text: String, _ board: QueueCopy, at now: Moment) {
        filterText = text
        let filter = RowFilter(text)
        guard filter != self.filter else { return }
        self.filter = filter
        arrange(board, at: now)
    }

    mutating func sort(_ sort: RowSort, _ board: QueueCopy, at now: Moment) {
        self.sort = sort
        arrange(board, at: now)
    }

    /// A transfer that failed only because a question is open is listed as one that waits.
    mutating func follow(_ asks: FailureQuestions, _ board: QueueCopy, at now: Moment) {
        guard asks != self.asks else { return }
        self.asks = asks
        if !isWhole { arrange(board, at: now) }
    }

    /// Applies an update that is already on the board.
    mutating func take(_ update: Update, _ board: QueueCopy, at now: Moment) {
        times.take(update)
        let hasMoved = tree?.take(update, board) ?? false
        var appended: [TransferID] = []
        switch update.order {
        case _ where hasMoved || !update.removed.isEmpty, .whole?: return arrange(board, at: now)
        case .appended(let ids)?: appended = ids
        case nil: if isInQueueOrder || update.rows.isEmpty { return }
        }
        var added = appended
        var (joined, left): (TransferSet, TransferSet) = ([], [])
        if !isWhole {
            added.removeAll { id in !(board[id].map(shows) ?? false) }
            for (id, row) in update.rows where shows(row) != members.contains(id) {
                if members.contains(id) { left.insert(id) } else { joined.insert(id) }
            }
            joined.subtract(added)
        }
        if tree != nil, !joined.isEmpty || !left.isEmpty { return arrange(board, at: now) }
        if !left.isEmpty {
            members.subtract(left)
            order.removeAll { left.contains($0) }
            revision += 1
        }
        guard sort.column == .queue else {
            outdated = outdated ?? Self.minSortInterval
            return sortIfDue(board, at: now)
        }
        guard joined.isEmpty, added.isEmpty || sort.isQueueOrder else { return arrange(board, at: now) }
        if appended.isEmpty { return }
        if !isWhole { members.formUnion(added) }
        guard tree != nil else { return order += added }
        tree?.append(added, queue: appended)
        outdated = Self.minGroupInterval
        sortIfDue(board, at: now)
    }

    /// Sorts the rows, or lists the lines of appended ones, if that is due.
    mutating func sortIfDue(_ board: QueueCopy, at now: Moment) {
        guard let due, now >= due else { return }
        if outdated == Self.minGroupInterval { listLines(at: now) } else { arrange(board, at: now) }
    }

    private mutating func listLines(at now: Moment) {
        if outdated == Self.minGroupInterval { (sortedAt, outdated) = (now, nil) }
        guard let lines = tree?.lines() else { return }
        order = lines
        revision += 1
    }

    func contains(_ id: TransferID) -> Bool { isWhole || members.contains(id) }

    private func shows(_ given: TransferSnapshot) -> Bool {
        var row = given
        if !asks.isEmpty, asks.isOpen(row.phase) { row.phase = .waiting(.slot) }
        return view.contains(row.phase) && filter.matches(row)
    }

    private mutating func arrange(_ board: QueueCopy, at now: Moment) {
        sortedAt = now
        outdated = nil
        revision += 1
        if isInQueueOrder {
            order = board.order
        } else if isWhole {
            order = sort.arranged(board, times: times, at: now) { _ in true }
        } else {
            order = sort.arranged(board, times: times, at: now, where: shows)
        }
        members = isWhole ? [] : TransferSet(order)
        let (rows, isAllOpen) = (order, !isWhole)
        if let lines = tree?.arrange(rows, queue: board.order, isAllOpen: isAllOpen) { order = lines }
    }
}

extension RowList {
    /// Groups the rows by folder, or no longer.
    ///
    /// - Parameter id: a row whose folders are open at first.
    mutating func group(_ isGrouped: Bool, showing id: TransferID?, _ board: QueueCopy, at now: Moment) {
        guard isGrouped != (tree != nil) else { return }
        tree = isGrouped ? FolderTree(board) : nil
        if let id { tree?.open(to: id) }
        arrange(board, at: now)
    }

    /// Opens or closes a folder.
    ///
    /// - Returns: the lines that have appeared or vanished; `nil`: nothing has changed.
    mutating func setOpen(_ isOpen: Bool, _ id: TransferID, at now: Moment) -> Range<Int>? {
        // The folders may have rows already whose lines are not there yet.
        if outdated != nil { listLines(at: now) }
        revision += 1
        return tree?.setOpen(isOpen, id, in: &order)
    }

    /// Whether nothing is to come in a line: in that of an open folder nothing is, as its rows have lines.
    func isSettled(_ id: TransferID, _ board: QueueCopy) -> Bool {
        tree?.isSettled(id) ?? board[id]?.phase.isSettled ?? true
    }

    /// Opens the folders of a row that is in a closed one.
    mutating func reveal(_ id: TransferID, at now: Moment) {
        guard tree != nil, !order.contains(id) else { return }
        tree?.open(to: id)
        listLines(at: now)
    }

    /// The line for a row: its own, or that of its folder.
    func line(for id: TransferID) -> TransferID { order.contains(id) ? id : tree?.parent(id) ?? id }

    /// The rows that the view and the filter show, also those in closed folders.
    func shown(_ board: QueueCopy) -> TransferSet { isWhole ? TransferSet(board.order) : members }

    /// How many of these rows have a line, also in closed folders; if none has, how many they are.
    func lineCount(of rows: TransferSet) -> Int {
        guard !rows.isEmpty, let withoutLine = tree?.withoutLine, !withoutLine.isEmpty else { return rows.count }
        var lined = rows
        lined.subtract(withoutLine)
        return lined.isEmpty ? rows.count : lined.count
    }

    /// The folder of a line; `nil`: the line is a row.
    func folder(_ id: TransferID, _ totals: QueueTotals) -> FolderLine? {
        guard id.number < 0, let tree else { return nil }
        return tree.folder(id, guess: tree.sums.guess(totals))
    }
}

/// When rows were added, started and settled in this run, and how many bytes each had at its start.
///
/// Most rows of a long list have not started: 100,000 waiting ones take 400 KB.
struct RowTimes: Sendable {
    /// Of a row that has started. Times are in the unit of `added`.
    private struct Work: Sendable {
        var began: UInt32
        /// 0: it has not.
        var ended: UInt32 = 0
        /// In bytes.
        var from: Int64
    }

    /// Tenths of seconds since `origin`, plus 1; 0: unknown. By the id's number, since ids are consecutive.
    private var added: [UInt32] = []
    private var works: [TransferID: Work] = [:]
    private var origin: Moment?
    /// Started rows that have got no byte yet, as far as is known: a client of a session is not told of each that comes.
    private var unmoved: Set<TransferID> = []

    mutating func take(_ update: Update) {
        if origin == nil { origin = update.at }
        for event in update.events {
            guard let id = event.id else { continue }
            let at = tenths(event.at)
            switch event.kind {
            case .added, .reopened: add(id, at)
            case .started:
                // A further attempt continues the same work, unless the transfer had settled before.
                guard works[id].map({ $0.ended != 0 }) ?? true else { break }
                works[id] = Work(began: at, from: event.have.bytes)
                unmoved.insert(id)
            case .headers: noteFound(event.have, of: id)
            // The source of an upload is open, or its server has said what it has.
            case .sized where event.direction == .up: noteFound(event.have, of: id)
            case .moved: unmoved.remove(id)
            case .retrying, .paused:
                if works[id]?.from != event.have.bytes { unmoved.remove(id) }
            case .finished, .failed, .cancelled:
                unmoved.remove(id)
                if works[id]?.ended == 0 { works[id]?.ended = at }
                // It may have ended with what was there already.
                switch event.kind {
                case .finished(.alreadyComplete), .finished(.skipped): works[id]?.from = event.have.bytes
                default: break
                }
            case .redirected, .rebase, .sized, .resumed, .awaitingSpace, .connections, .warned, .verifying, .replying,
                .removed, .restored, .queueFinished:
                break
            }
        }
    }

    func added(_ id: TransferID) -> Moment? { added.indices.contains(id.number) ? moment(added[id.number]) : nil }

    /// The time from the first attempt in this run until the transfer settled, or until `now`; `nil` before the
    /// first.
    func elapsed(_ id: TransferID, at now: Moment) -> Duration? {
        guard let work = works[id], let began = moment(work.began) else { return nil }
        return max(.zero, (moment(work.ended) ?? now) - began)
    }

    /// The bytes fetched in this run divided by `elapsed`; `nil` if none were fetched.
    func meanRate(of row: TransferSnapshot, at now: Moment) -> ByteRate? {
        guard let work = works[row.id], let span = elapsed(row.id, at: now) else { return nil }
        let (fetched, isTooMuch) = row.have.bytes.subtractingReportingOverflow(work.from)
        return isTooMuch || fetched <= 0 ? nil : ByteCount(bytes: fetched).rate(over: span)
    }

    /// What a row has before the first byte of this run: a part or a file that was found, or what a server has of an upload.
    private mutating func noteFound(_ have: ByteCount, of id: TransferID) {
        if unmoved.contains(id) { works[id]?.from = have.bytes }
    }

    private mutating func add(_ id: TransferID, _ at: UInt32) {
        guard id.number >= 0 else { return }
        if id.number >= added.count { added += repeatElement(0, count: id.number + 1 - added.count) }
        added[id.number] = at
    }

    private func tenths(_ moment: Moment) -> UInt32 {
        guard let origin else { return 0 }
        return UInt32(clamping: max(0, (moment - origin).nanoseconds / Self.tenth) + 1)
    }

    private func moment(_ tenths: UInt32) -> Moment? {
        guard tenths > 0, let origin else { return nil }
        return origin + .nanoseconds(Int64(tenths - 1) * Self.tenth)
    }

    private static let tenth: Int64 = 100_000_000
}

/// The rates of moving transfers over the last minute, for the small graphs in rows.
struct RowGraphRates: Sendable {
    /// The rates of one transfer in buckets of `span` seconds, up to the open bucket `last`.
    private struct Trail: Sendable {
        var last: Int64
        var sum = 0.0
        var count = 0.0
        /// Mean rates of the closed buckets in bytes per second, the oldest first.
        var means: [Double] = []

        mutating func add(_ rate: Double, in bucket: Int64) {
            if bucket > last { close(until: bucket) }
            sum += rate
            count += 1
        }

        /// Closes the buckets before `bucket`. A bucket without reports gets the mean of the previous one: the engine
        /// does not report a row again that has not changed.
        mutating func close(until bucket: Int64) {
            let mean = count > 0 ? sum / count : means.last ?? 0
            let missed = Int(min(bucket - last, Int64(RowGraphRates.most)))
            means.append(contentsOf: repeatElement(mean, count: missed))
            means.removeFirst(max(0, means.count - RowGraphRates.most))
            (last, sum, count) = (bucket, 0, 0)
        }
    }

    private var trails: [TransferID: Trail] = [:]

    /// Seconds per cell. 3 s: a row's graph changes rarely, which costs little on a slow line.
    static let span: Int64 = 3
    /// Cells of a minute.
    static let most = 20

    mutating func take(_ update: Update) {
        for id in update.removed { trails[id] = nil }
        if update.base == nil { trails = trails.filter { update.rows[$0.key] != nil } }
        let bucket = Self.bucket(of: update.at)
        for (id, row) in update.rows {
            guard row.phase == .moving, let rate = row.rate?.perSecond, rate.isFinite else {
                trails[id] = nil
                continue
            }
            trails[id, default: Trail(last: bucket)].add(max(0, rate), in: bucket)
        }
    }

    /// Mean rates in bytes per second, the latest last. The open bucket is left out, so that a drawn cell does not
    /// change.
    func means(_ id: TransferID, at now: Moment) -> [Double] {
        guard var trail = trails[id] else { return [] }
        let bucket = Self.bucket(of: now)
        if bucket > trail.last { trail.close(until: bucket) }
        return trail.means
    }

    private static func bucket(of moment: Moment) -> Int64 {
        moment.nanoseconds.quotient(flooredBy: span * 1_000_000_000)
    }
}
