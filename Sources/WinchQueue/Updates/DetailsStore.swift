package import WinchModel
import WinchProgress

/// What is kept of each transfer for the view of its details. Nothing until its first attempt; of settled ones only the
/// latest, so that a hundred thousand finished files cost no memory.
package struct DetailsStore: Sendable {
    package struct Record: Sendable {
        package var attempts: [AttemptRecord] = []
        /// The last of them that the ledger has, ended; 0: none.
        fileprivate var keptThrough = 0
        /// Something in it is not in the ledger.
        fileprivate var isUnsaved = false
        fileprivate var isKept = false
        var facts: ConnectionFacts?
        var location: String?
        var reply: ServerReply?
        /// What the latest body must hash to.
        var demands: [ExpectedChecksum] = []
        var seconds: [RateHistory.Second] = []
        fileprivate var meter = SecondRateMeter()
        fileprivate var measured = ByteCount.zero
        /// Bytes that came in all; never falls.
        fileprivate var moved = ByteCount.zero
    }

    private var records: [TransferID: Record] = [:]
    /// Settled ones with a record, the longest ago first; numbers may be in it twice.
    private var settled: [TransferID] = []
    /// The transfers whose details front ends show, by the number of the front end.
    private var views: [Int: View] = [:]

    /// One transfer, as one front end shows it.
    struct View: Sendable {
        let watcher: Int
        let id: TransferID
        /// What the ledger has of it: attempts, location, facts and reply of earlier runs.
        fileprivate(set) var recalled: Record?
        /// What the front end was told last.
        fileprivate var lastReported: TransferDetails?
    }

    /// Settled transfers whose records are kept.
    static let mostSettled = 1000

    package internal(set) subscript(id: TransferID) -> Record? {
        get { records[id] }
        _modify { yield &records[id] }
    }

    /// The row of a transfer, with its rate within what its own last seconds were.
    func bounded(_ row: TransferSnapshot, at now: Moment) -> TransferSnapshot {
        guard let rate = row.rate, let record = records[row.id] else { return row }
        var row = row
        row.rate = record.meter.bounded(rate, moved: record.moved, at: now)
        return row
    }

    /// In the order of the front ends.
    var watched: [View] { views.values.sorted { $0.watcher < $1.watcher } }

    /// - Returns: the details, unless the front end has them already.
    mutating func report(_ details: TransferDetails, to watcher: Int) -> TransferDetails? {
        guard details != views[watcher]?.lastReported else { return nil }
        views[watcher]?.lastReported = details
        return details
    }

    mutating func watch(_ id: TransferID?, by watcher: Int) {
        guard let id else { return views[watcher] = nil }
        var view = View(watcher: watcher, id: id)
        if let old = views[watcher], old.id == id { view.recalled = old.recalled }
        views[watcher] = view
    }

    /// - Returns: whether a front end shows it.
    mutating func recall(_ details: StoredDetails, of id: TransferID, _ calendar: CalendarConversion) -> Bool {
        let watchers = views.values.filter { $0.id == id }.map(\.watcher)
        var record = Record()
        record.attempts = details.attempts.map { AttemptRecord($0, calendar) }
        (record.location, record.facts, record.reply) = (details.location, details.facts, details.reply)
        for watcher in watchers { views[watcher]?.recalled = record }
        return !watchers.isEmpty
    }

    /// - Parameter have: bytes on disk after the event.
    mutating func note(_ id: TransferID, _ kind: FeedEvent.Kind, host: String, have: ByteCount, at now: Moment) {
        if case .started(let number) = kind {
            records[id, default: Record()].begin(
                AttemptRecord(number: number, host: host, began: now, from: have, have: have))
            return
        }
        // Found once: a record is moved out of the dictionary and back each time.
        records[id]?.take(kind, have: have, at: now)
        switch kind {
        case .finished, .failed, .cancelled: settle(id)
        default: break
        }
    }

    private mutating func settle(_ id: TransferID) {
        guard records[id] != nil else { return }
        settled.append(id)
        // Trimmed by the half, so that each costs next to nothing.
        guard settled.count > 2 * Self.mostSettled else { return }
        let latest = settled.suffix(Self.mostSettled)
        let kept = Set(latest)
        var watched: [TransferID] = []
        // Those that run are settled again.
        for old in Set(settled.dropLast(Self.mostSettled)) where !kept.contains(old) && !isRunning(old) {
            if isWatched(old) { watched.append(old) } else { records[old] = nil }
        }
        settled = watched + latest
    }

    private func isWatched(_ id: TransferID) -> Bool { views.values.contains { $0.id == id } }

    /// Tried again since it was settled.
    private func isRunning(_ id: TransferID) -> Bool { records[id]?.attempts.last?.outcome == .running }
}

extension DetailsStore.Record {
    /// - Parameter kind: not `started`.
    fileprivate mutating func take(_ kind: FeedEvent.Kind, have: ByteCount, at now: Moment) {
        if case .moved = kind { return measure(have, at: now) }
        isUnsaved = true
        switch kind {
        case .headers: resume(from: have, at: now)
        case .redirected(let url): location = url
        case .paused: end(.paused, have: have, at: now)
        case .retrying(_, let failure), .failed(let failure): end(.failed(failure), have: have, at: now)
        case .awaitingSpace(let folder): end(.failed(.diskFull(folder: folder)), have: have, at: now)
        case .verifying, .replying, .finished: end(.complete, have: have, at: now)
        case .cancelled: end(.cancelled, have: have, at: now)
        // Removed ones may come back as they were.
        case .started, .moved, .added, .reopened, .rebase, .sized, .connections, .warned, .resumed, .removed, .restored,
            .queueFinished:
            break
        }
    }

    fileprivate mutating func begin(_ attempt: AttemptRecord) {
        isUnsaved = true
        attempts.append(attempt)
        if attempts.count > StoredDetails.most { attempts.removeFirst() }
        location = nil
        reply = nil
        demands = []
        measured = attempt.have
    }

    /// The body begins at `have`: what is kept of an earlier attempt is known only now.
    fileprivate mutating func resume(from have: ByteCount, at now: Moment) {
        keep(meter.begin(with: moved, at: now))
        guard let last = attempts.indices.last, attempts[last].ended == nil else { return }
        (attempts[last].from, attempts[last].have) = (have, have)
        measured = have
    }

    fileprivate mutating func measure(_ have: ByteCount, at now: Moment) {
        if have > measured { moved += have - measured }
        measured = have
        if let last = attempts.indices.last { attempts[last].have = have }
        keep(meter.record(moved, at: now))
    }

    private mutating func keep(_ second: RateHistory.Second?) {
        guard let second else { return }
        seconds.append(second)
        // Trimmed by the half, as above.
        if seconds.count > 2 * RateGraphSpan.seconds { seconds.removeFirst(RateGraphSpan.seconds) }
    }

    /// Closes the open attempt; one whose body was complete may still fail, by its checksum or on the disk.
    fileprivate mutating func end(_ outcome: AttemptOutcome, have: ByteCount, at now: Moment) {
        keep(meter.end(with: moved, at: now))
        guard let last = attempts.indices.last else { return }
        let isOpen = attempts[last].ended == nil
        let isUndone = if case .failed = outcome { attempts[last].outcome == .complete } else { false }
        guard isOpen || isUndone else { return }
        attempts[last].ended = now
        attempts[last].outcome = outcome
        // What a failure threw away was brought all the same.
        attempts[last].have = max(attempts[last].have, have)
    }
}

extension DetailsStore.Record {
    /// The program ends, and with it the attempt.
    mutating func interrupt(have: ByteCount, at now: Moment) {
        end(.interrupted, have: have, at: now)
        isUnsaved = true
    }

    mutating func take(_ reply: ServerReply) {
        self.reply = reply
        isUnsaved = true
    }

    /// What the server made of an upload, or why it refused it. An answer without either tells no more than the outcome.
    private var hasWordsOfReply: Bool { reply.map { $0.location != nil || !$0.text.isEmpty } ?? false }

    /// What the ledger does not have of a transfer's attempts yet, if it is worth a place there.
    ///
    /// A small file that comes whole at once leaves nothing but its entry: details would cost more than the file.
    mutating func takeUnsaved(isLarge: Bool, _ calendar: CalendarConversion) -> StoredDetails? {
        guard isUnsaved, isKept || isLarge || hasTrouble || hasWordsOfReply else { return nil }
        let unsaved = attempts.filter { $0.number > keptThrough }
        (isUnsaved, isKept) = (false, true)
        keptThrough = attempts.last { $0.ended != nil && $0.outcome != .complete }?.number ?? keptThrough
        return StoredDetails(
            attempts: unsaved.map { $0.kept(calendar) },
            location: location.map { address in String(address.prefix { $0 != "?" }) }, facts: facts,
            reply: reply)
    }

    /// The ledger has forgotten it.
    mutating func forgetKept() { (isUnsaved, isKept, keptThrough) = (true, false, 0) }

    /// More than one attempt, or one that did not bring the whole.
    private var hasTrouble: Bool {
        guard attempts.count == 1, let only = attempts.first, only.number == 1 else { return !attempts.isEmpty }
        return only.outcome != .running && only.outcome != .complete
    }
}

extension AttemptRecord {
    /// - Parameter kept: of an earlier run, or of a transfer that is settled: whatever ran then runs no more.
    init(_ kept: StoredAttempt, _ calendar: CalendarConversion) {
        self.init(
            number: kept.number, host: kept.host, began: calendar.moment(of: kept.began),
            ended: kept.ended.map(calendar.moment), from: kept.from, have: kept.have,
            outcome: kept.outcome == .running ? .interrupted : kept.outcome)
    }

    func kept(_ calendar: CalendarConversion) -> StoredAttempt {
        StoredAttempt(
            number: number, host: host, began: calendar.date(of: began), ended: ended.map(calendar.date), from: from,
            have: have, outcome: outcome)
    }
}

extension TransferQueue {
    /// The transfer that a front end shows in detail from now on; its details come with the next update, and again when the
    /// ledger has more.
    mutating func watch(_ id: TransferID?, by watcher: Int) -> [QueueAction] {
        detailsStore.watch(id, by: watcher)
        guard let id else { return [] }
        feed.noteTotals()
        guard ledger != nil, let index = index(of: id), let key = rows[index].record.key,
            rows[index].attemptsMade > detailsStore[id]?.attempts.count ?? 0
        else { return [] }
        return [.recall(id, key)]
    }

    /// The ledger's answer: late when something else is watched by now.
    mutating func take(_ details: StoredDetails, of id: TransferID) {
        guard let calendar = ledger?.calendar, detailsStore.recall(details, of: id, calendar) else {
            ignore()
            return
        }
        feed.noteTotals()
    }

    /// The details of the watched transfers that are news.
    mutating func takeDetails(at now: Moment) -> [TransferDetails] {
        Self.once(
            detailsStore.watched.compactMap { view in
                details(view, at: now).flatMap { detailsStore.report($0, to: view.watcher) }
            })
    }

    func details(at now: Moment) -> [TransferDetails] {
        Self.once(detailsStore.watched.compactMap { details($0, at: now) })
    }

    /// Several front ends may show the same transfer.
    private static func once(_ details: [TransferDetails]) -> [TransferDetails] {
        Dictionary(details.map { ($0.id, $0) }) { first, _ in first }.values.sorted { $0.id < $1.id }
    }

    private func details(_ view: DetailsStore.View, at now: Moment) -> TransferDetails? {
        self[view.id]?.details(detailsStore[view.id], view.recalled, ledger?.calendar, at: now)
    }
}

extension TransferState {
    /// In all runs.
    var attemptsMade: Int { record.attempts + Int(attempts) }

    /// - Parameters:
    ///   - record: what is kept of its attempts; `nil` before the first of this run.
    ///   - recalled: what the ledger has of earlier ones.
    func details(
        _ record: DetailsStore.Record?, _ recalled: DetailsStore.Record?, _ calendar: CalendarConversion?,
        at now: Moment
    ) -> TransferDetails {
        let attempts = attempts(record?.attempts ?? [], recalled?.attempts ?? [], calendar)
        let facts = record?.facts ?? recalled?.facts
        var details = TransferDetails(
            id: id, urls: spec.urls.map(\.redacted), mirror: mirror,
            location: record?.location ?? (record?.facts == nil ? recalled?.location : nil), facts: facts,
            reply: record?.reply ?? (record?.facts == nil ? recalled?.reply : nil),
            validator: resume?.validator ?? facts?.validator, folder: spec.folder, path: name,
            partPath: resume.flatMap { $0.upload == nil ? $0.partPath : $0.upload?.name.nonEmpty }, have: have,
            size: size, ranges: rangesOnDisk,
            durable: isSaved ? ByteRanges(prefix: have).ranges : resume?.durable.ranges ?? [],
            checksums: checksums(record?.demands ?? []),
            rateLimit: settings.rateLimit, connections: openConnections(at: now), connectionReason: connectionReason,
            attempts: attempts, forgottenAttempts: max(0, attemptsMade - attempts.count),
            seconds: (record?.seconds ?? []).suffix(RateGraphSpan.seconds))
        details.source = spec.upload?.file
        return details
    }

    private func attempts(
        _ own: [AttemptRecord], _ recalled: [AttemptRecord], _ calendar: CalendarConversion?
    ) -> [AttemptRecord] {
        let first = own.first?.number ?? .max
        var attempts = (recalled.filter { $0.number < first } + own).suffix(StoredDetails.most)
        // One that was cut off had what the next went on from.
        for index in attempts.indices where attempts[index].outcome == .interrupted && attempts[index].ended == nil {
            let next = attempts.indices.contains(index + 1) ? attempts[index + 1].from : have
            attempts[index].have = max(attempts[index].have, next)
        }
        return attempts.isEmpty ? onlyAttempt(calendar).map { [$0] } ?? [] : Array(attempts)
    }

    /// Of what came whole at the first attempt nothing more is kept than when that was.
    private func onlyAttempt(_ calendar: CalendarConversion?) -> AttemptRecord? {
        guard isSaved, attemptsMade == 1, record.received == have, let calendar, let began = record.startedAt else {
            return nil
        }
        let moment = calendar.moment(of: began)
        return AttemptRecord(
            number: 1, host: hostAndPort, began: moment, ended: moment + record.worked, have: have, outcome: .complete)
    }

    private var isSaved: Bool { if case .finished = phase { true } else { false } }

    private var rangesOnDisk: [Range<Int64>] {
        guard spec.direction == .down, have > .zero else { return [] }
        guard let resume, resume.have == have else { return [0..<have.bytes] }
        return Array(resume.onDisk.ranges)
    }

    /// - Parameter demands: those of the latest body; none before it begins, and after a run that is over.
    private func checksums(_ demands: [ExpectedChecksum]) -> [ChecksumFinding] {
        var wanted =
            demands.isEmpty
            ? ExpectedChecksum.own(settings, listed: spec.listedChecksum, from: spec.listedOrigin) : demands
        if let wrong, !wanted.contains(where: { $0.checksum == wrong.checksum }) {
            wanted.append(ExpectedChecksum(wrong.checksum, origin: .earlierRun))
        }
        return wanted.map { demand in
            let isWrong = wrong?.checksum == demand.checksum
            return ChecksumFinding(
                demand.checksum, origin: demand.origin, range: demand.range,
                state: isWrong ? .mismatched(got: wrong?.got ?? "") : checksumState)
        }
    }

    /// The hash that was found to be another one.
    private var wrong: (checksum: Checksum, got: String)? {
        switch phase {
        case .failed(.checksum(let type, let expected, let got, _)),
            .backoff(_, .checksum(let type, let expected, let got, _)):
            Checksum("\(type)=\(expected)").map { ($0, got) }
        default: nil
        }
    }

    /// Of each that was not found to be wrong.
    private var checksumState: ChecksumFinding.State {
        switch phase {
        case .verifying: .checking
        case .finished(.saved), .finished(.alreadyComplete): .matched
        case .waiting, .active, .paused, .backoff: .expected
        case .finished(.skipped), .finished(.listed), .finished(.sent), .failed, .cancelled: .unchecked
        }
    }
}

extension String { fileprivate var nonEmpty: String? { isEmpty ? nil : self } }
