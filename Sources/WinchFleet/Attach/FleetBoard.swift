package import WinchModel

/// A run as a dashboard shows it: the rows of all workers as one queue, and the workers. A pure machine: `FleetAttachment` feeds it.
package struct FleetBoard: Sendable {
    package enum Event: Sendable {
        /// A worker has shown itself; `nil`: it has left in order.
        case record(worker: String, WorkerRecord?)
        case update(worker: String, Update, entries: [TransferID: UInt64])
        /// A worker has sent what does not follow from what is known.
        case unknown(worker: String)
        case tally(worker: String, RunTally)
        case counts(done: UInt64, failed: UInt64, left: UInt64)
        case control(RunControl)
        /// Failed entries; `isWhole`: all that there are.
        case failures([FleetRun.Failure], isWhole: Bool)
        case connection(isThere: Bool)
    }

    /// What a dashboard shows of it.
    package struct News: Sendable {
        package var update: Update
        package var machines: [Machine]
        /// By row: the name of its machine.
        package var machineOf: [TransferID: String]
        package var log: [LogEntry]
        /// Workers whose whole queue is needed.
        var wanted: [String]
    }

    package struct Machine: Hashable, Sendable {
        package var name: String
        package var record: WorkerRecord
        package var lastSeen: Moment
        package var isLost: Bool
    }

    struct Worker: Sendable {
        var record: WorkerRecord?
        var lastSeen: Moment
        var isLost = false
        /// Of its queue.
        var order: [TransferID] = []
        /// The number of the state of its queue that the board has; `nil`: the whole is needed.
        var number: Int?
        var askedAt: Moment?
        /// The rows on the board by the worker's own.
        var rows: [TransferID: TransferID] = [:]
    }

    var workers: [String: Worker] = [:]
    var tallies: [String: RunTally] = [:]
    var counts: (done: UInt64, failed: UInt64, left: UInt64)?
    var control = RunControl()
    var pace = EntryPace()
    var rows: [TransferID: TransferSnapshot] = [:]
    var machineOf: [TransferID: String] = [:]
    var entryOf: [TransferID: UInt64] = [:]
    /// By its sequence in the stream of failures.
    var failures: [UInt64: TransferID] = [:]
    var lastRow = 0
    var changed: Set<TransferID> = []
    var removed: [TransferID] = []
    var isOrderNews = true
    var details: TransferDetails?
    var log: [LogEntry] = []
    private var number = 0
    private var second: Int64?
    private var isConnected = true

    /// A worker shows itself each second.
    static let longestSilence = Duration.seconds(4)
    /// By then the entries of a lost worker are with others.
    private static let lostRowsStay = Duration.seconds(30)
    /// A lost worker is listed for so long.
    private static let lostStay = Duration.seconds(600)
    private static let askPause = Duration.seconds(2)
    /// Entries of the log wait so long for earlier ones of other machines.
    private static let logDelay = Duration.milliseconds(750)
    /// The latest ones have a row.
    static let mostFailures = 500

    package mutating func apply(_ event: Event, at now: Moment) {
        switch event {
        case .record(let id, let record?): note(record, of: id, at: now)
        case .record(let id, nil):
            guard let worker = workers.removeValue(forKey: id) else { return }
            drop(worker.rows.values)
            tell("\(name(of: id, worker)) has left", .info, at: now)
        case .update(let id, let update, let entries): take(update, entries, of: id, at: now)
        case .unknown(let id): workers[id]?.number = nil
        case .tally(let id, let tally): tallies[id] = tally
        case .counts(let done, let failed, let left):
            counts = (done, failed, left)
            pace.note(done &+ failed, at: now)
        case .control(let new): control = new
        case .failures(let list, let isWhole): take(list, isWhole: isWhole)
        case .connection(let isThere):
            isConnected = isThere
            // Silence before this says nothing of the workers.
            for id in workers.keys where isThere { workers[id]?.lastSeen = now }
        }
    }

    /// What has changed since the last call.
    package mutating func takeNews(at now: Moment) -> News {
        if isConnected { findLost(at: now) }
        let due = log.filter { now - $0.at >= Self.logDelay }.sorted { $0.at < $1.at }
        log.removeAll { now - $0.at >= Self.logDelay }
        var update = Update(base: number, number: number + 1, totals: totals(at: now), at: now)
        number += 1
        for id in changed { update.rows[id] = rows[id] }
        update.removed = removed
        if isOrderNews { update.order = .whole(order) }
        if let details { update.details = [details] }
        let current = now.nanoseconds / 1_000_000_000
        if let second, current > second { update.seconds = [.init(number: current - 1, rate: rate)] }
        (changed, removed, isOrderNews, details, second) = ([], [], false, nil, current)
        return News(
            update: update, machines: machines, machineOf: machineOf, log: due,
            wanted: isConnected ? wanted(at: now) : [])
    }

    /// The places in the queue of the run of what is at work in these rows.
    func entries(of ids: [TransferID]) -> [UInt64] { ids.compactMap { entryOf[$0] } }

    /// Which worker has a row, and as which of its own.
    func place(of id: TransferID) -> (worker: String, row: TransferID)? {
        for (name, worker) in workers {
            if let own = worker.rows.first(where: { $0.value == id }) { return (name, own.key) }
        }
        return nil
    }

    var rate: ByteRate {
        workers.values.reduce(.zero) { $0 + ($1.isLost ? .zero : ByteRate(perSecond: $1.record?.rate ?? 0)) }
    }
}

// MARK: - Workers

extension FleetBoard {
    private mutating func note(_ record: WorkerRecord, of id: String, at now: Moment) {
        var worker = workers[id] ?? Worker(lastSeen: now)
        if worker.record == nil {
            worker.record = record
            tell(
                "\(name(of: id, worker)) is at work: winch \(record.version), \(record.jobs) at a time", .info, at: now)
            isOrderNews = true
        }
        (worker.record, worker.lastSeen) = (record, now)
        if worker.isLost {
            (worker.isLost, worker.number) = (false, nil)
            tell("\(name(of: id, worker)) is back", .info, at: now)
        }
        workers[id] = worker
    }

    private mutating func findLost(at now: Moment) {
        for (id, worker) in workers {
            let silence = now - worker.lastSeen
            if !worker.isLost, silence >= Self.longestSilence {
                workers[id]?.isLost = true
                tell(
                    "\(name(of: id, worker)) has vanished; its entries go to other machines within 30 seconds",
                    .warning,
                    at: now)
                for row in worker.rows.values { stop(row, since: worker.lastSeen) }
            }
            if worker.isLost, silence >= Self.lostRowsStay, !worker.rows.isEmpty {
                drop(worker.rows.values)
                workers[id]?.rows = [:]
            }
            if worker.isLost, silence >= Self.lostStay { workers[id] = nil }
        }
    }

    /// Shows that nothing is known of a row any more.
    private mutating func stop(_ id: TransferID, since: Moment) {
        guard var row = rows[id], row.phase == .moving else { return }
        (row.rate, row.finish, row.stalledSince) = (nil, nil, since)
        rows[id] = row
        changed.insert(id)
    }

    private mutating func wanted(at now: Moment) -> [String] {
        var wanted: [String] = []
        for (id, worker) in workers where worker.number == nil && !worker.isLost {
            if let asked = worker.askedAt, now - asked < Self.askPause { continue }
            workers[id]?.askedAt = now
            wanted.append(id)
        }
        return wanted.sorted()
    }

    /// The name of a worker's machine; of two with the same name the whole names of the workers.
    func name(of id: String, _ worker: Worker) -> String {
        guard let name = worker.record?.name else {
            return id.lastIndex(of: "-").map { String(id[..<$0]) } ?? id
        }
        let isShared = workers.contains { $0.key != id && $0.value.record?.name == name }
        return isShared ? id : name
    }

    var sortedWorkers: [(id: String, name: String, worker: Worker)] {
        workers.map { ($0.key, name(of: $0.key, $0.value), $0.value) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }

    private var machines: [Machine] {
        sortedWorkers.compactMap { _, name, worker in
            worker.record.map { record in
                var record = record
                if worker.number != nil { record.connections = connections(of: worker) }
                return Machine(name: name, record: record, lastSeen: worker.lastSeen, isLost: worker.isLost)
            }
        }
    }

    /// A file can have several.
    private func connections(of worker: Worker) -> Int {
        worker.rows.values.reduce(0) { sum, id in
            guard let row = rows[id], row.phase.isActive, row.phase != .verifying else { return sum }
            return sum + max(1, row.split?.connections ?? 1)
        }
    }

    private mutating func tell(_ words: String, _ level: LogLevel, at now: Moment) {
        log.append(LogEntry(at: now, subject: .userMessage(words, level)))
    }
}

/// The rows of the board, from those of the workers and the failures of the run.
extension FleetBoard {
    mutating func take(_ update: Update, _ entries: [TransferID: UInt64], of id: String, at now: Moment) {
        var worker = workers[id] ?? Worker(lastSeen: now)
        defer { workers[id] = worker }
        let isWhole = update.base == nil
        guard isWhole || update.base == worker.number else { return worker.number = nil }
        worker.number = update.number
        if isWhole { worker.order = [] }
        update.order?.apply(to: &worker.order)
        let machine = name(of: id, worker)
        let events = update.events.compactMap { event in
            LogEntry(
                event, name: event.id.flatMap { update.rows[$0]?.name ?? worker.rows[$0].flatMap { rows[$0]?.name } })
        }
        let gone = isWhole ? worker.rows.keys.filter { update.rows[$0] == nil } : update.removed
        for own in gone { if let row = worker.rows.removeValue(forKey: own) { drop([row]) } }
        for (own, row) in update.rows {
            guard row.phase.isAtWork else {
                if let shown = worker.rows.removeValue(forKey: own) { drop([shown]) }
                continue
            }
            let shown = worker.rows[own] ?? newRow()
            worker.rows[own] = shown
            machineOf[shown] = machine
            if let entry = entries[own] { entryOf[shown] = entry }
            put(row, as: shown)
        }
        if var new = update.details.last, let shown = worker.rows[new.id] {
            new.id = shown
            details = new
        }
        log += (update.log + events).compactMap { $0.of(machine) }
    }

    private mutating func newRow() -> TransferID {
        lastRow += 1
        isOrderNews = true
        return TransferID(lastRow)
    }

    private mutating func put(_ row: TransferSnapshot, as id: TransferID) {
        var row = row
        row.id = id
        rows[id] = row
        changed.insert(id)
    }

    mutating func drop(_ ids: some Sequence<TransferID>) {
        for id in ids where rows.removeValue(forKey: id) != nil {
            (machineOf[id], entryOf[id]) = (nil, nil)
            changed.remove(id)
            removed.append(id)
            isOrderNews = true
        }
    }

    var order: [TransferID] {
        sortedWorkers.flatMap { _, _, worker in worker.order.compactMap { worker.rows[$0] } }
            + failures.sorted { $0.key < $1.key }.map(\.value)
    }

    mutating func take(_ list: [FleetRun.Failure], isWhole: Bool) {
        if isWhole {
            let all = Set(list.map(\.sequence))
            for (sequence, id) in failures where !all.contains(sequence) {
                failures[sequence] = nil
                drop([id])
            }
        }
        for failure in list.suffix(Self.mostFailures) where failures[failure.sequence] == nil {
            let id = newRow()
            failures[failure.sequence] = id
            machineOf[id] =
                workers[failure.record.worker].map { name(of: failure.record.worker, $0) }
                ?? failure.record.machine
            entryOf[id] = failure.record.entry
            put(failure.record.row, as: id)
        }
        for (sequence, id) in failures.sorted(by: { $0.key < $1.key }).dropLast(Self.mostFailures) {
            failures[sequence] = nil
            drop([id])
        }
    }

    /// The numbers of the failed entries in these rows.
    func failed(of ids: [TransferID]) -> [UInt64] {
        let shown = Set(failures.values)
        return ids.compactMap { shown.contains($0) ? entryOf[$0] : nil }
    }
}

extension TransferPhase {
    /// It is shown as long as a worker has it; a failed one has a row of its own when the run has stored it.
    fileprivate var isAtWork: Bool {
        switch self {
        case .failed, .cancelled: false
        default: true
        }
    }
}

extension LogEntry {
    /// The entry with the names of the machine and the file in its words; `nil`: what only the worker itself is concerned with.
    fileprivate func of(_ machine: String) -> LogEntry? {
        if case .event(.removed, _, _) = subject { return nil }
        let words = "\(machine): " + (name.map { "\($0): " } ?? "") + message
        return LogEntry(at: at, subject: .userMessage(words, level))
    }
}

/// The sums over the whole run.
extension FleetBoard {
    /// In entries: the sizes of those that wait are not known.
    func totals(at now: Moment) -> QueueTotals {
        var totals = QueueTotals()
        totals.mode = .simple
        totals.isHeld = control.isPaused
        totals.rateLimit = control.limit.map { ByteRate(perSecond: $0) }
        totals.slots = workers.values.reduce(0) { $0 + ($1.record?.jobs ?? 0) }
        guard let counts else {
            totals.isReading = true
            return totals
        }
        let (done, failed, left) = (
            Int(clamping: counts.done), Int(clamping: counts.failed), Int(clamping: counts.left)
        )
        (totals.count, totals.finished, totals.failed) = (done + failed + left, done, failed)
        (totals.total, totals.completed) = (Int64(totals.count), Int64(done + failed))
        totals.fraction = totals.count > 0 ? Double(done + failed) / Double(totals.count) : 0
        (totals.shares.succeeded, totals.shares.failed) = (Int64(done), Int64(failed))
        countRows(&totals, left: left)
        setBytes(&totals)
        guard totals.active > 0 else { return totals }
        totals.rate = rate
        let missing = ByteCount(bytes: totals.bytesTotal - totals.bytesDone)
        // Nothing is missing while no size is known: that says nothing of the time.
        let span = pace.time(for: left) ?? (missing > .zero ? rate.time(for: missing) : nil)
        totals.finish = span.map { now + $0 }
        return totals
    }

    private func countRows(_ totals: inout QueueTotals, left: Int) {
        for row in rows.values {
            if row.phase == .moving, row.stalledSince != nil { totals.stalled += 1 }
            if case .backoff = row.phase { totals.backoff += 1 }
            if row.phase == .verifying { totals.finishing += 1 }
        }
        totals.active = workers.values.reduce(0) { $0 + ($1.isLost ? 0 : $1.record?.working ?? 0) }
        totals.active = min(totals.active, left)
        totals.waiting = max(0, left - totals.active - totals.backoff - totals.finishing)
    }

    private func setBytes(_ totals: inout QueueTotals) {
        var (bytes, entries) = (Int64(0), 0)
        // A worker's record is newer than its tally, and disappears with it.
        for id in Set(workers.keys).union(tallies.keys) {
            let (tally, record) = (tallies[id], workers[id]?.record)
            bytes = bytes.saturatingAdd(max(tally?.bytes ?? 0, record?.bytes ?? 0))
            entries += max(tally?.done ?? 0, record?.done ?? 0)
        }
        let active = rows.values.filter(\.phase.isActive)
        let moving = active.reduce(Int64(0)) { $0.saturatingAdd($1.have.bytes) }
        totals.bytesDone = bytes.saturatingAdd(moving)
        if entries == 0 {
            // Until one is complete, those at work are all that is known.
            let sizes = active.compactMap { $0.size.known?.bytes }
            (bytes, entries) = (sizes.reduce(0) { $0.saturatingAdd($1) }, sizes.count)
        }
        guard entries > 0, totals.count > totals.finished else { return totals.bytesTotal = totals.bytesDone }
        let mean = Double(bytes) / Double(entries)
        let missing = mean * Double(totals.count - totals.finished - totals.failed) - Double(moving)
        totals.bytesTotal = totals.bytesDone.saturatingAdd(Int64(max(0, min(missing, 1e18))))
        totals.areBytesEstimated = totals.bytesTotal > totals.bytesDone
        // The time left is a guess as well.
        totals.guessed = totals.bytesTotal - totals.bytesDone
    }
}

/// How fast entries are settled, from their number at several instants of the last minute.
struct EntryPace: Sendable {
    private var samples: [(at: Moment, settled: UInt64)] = []

    private static let span = Duration.seconds(60)
    /// Fewer say little of the rest.
    private static let leastEntries: UInt64 = 20

    mutating func note(_ settled: UInt64, at now: Moment) {
        // After a retry there are fewer: what was before does not count.
        if let last = samples.last, last.settled > settled { samples = [] }
        samples.append((now, settled))
        samples.removeAll { now - $0.at > Self.span }
    }

    /// - Returns: `nil`: too few have been settled for a forecast.
    func time(for left: Int) -> Duration? {
        guard let first = samples.first, let last = samples.last, last.settled - first.settled >= Self.leastEntries
        else {
            return nil
        }
        let seconds = (last.at - first.at).seconds * Double(left) / Double(last.settled - first.settled)
        return seconds < TimeLeftFormat.longest ? .seconds(seconds) : nil
    }
}
