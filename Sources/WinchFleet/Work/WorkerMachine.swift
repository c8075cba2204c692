import WinchModel

/// Decides what a worker does with the entries that it is given. A pure machine: `FleetWorker` carries out its actions.
///
/// An entry is held from its delivery until it is acknowledged: its file is complete and the server has stored that, or the
/// server has stored why it failed. Until then the server is told again and again that the entry is at work, and gives it to
/// another worker when that ends.
struct WorkerMachine: Sendable {
    enum Event: Sendable {
        case delivered(Delivery)
        case settled(TransferID, Ending)
        /// The server has stored the result or the failure of this entry.
        case stored(UInt64)
        /// Whether it has is not known.
        case notStored(UInt64)
        /// The answer to a `recall`: what the whole fleet has settled lately; `nil`: the server has not said it.
        case recalled(RecentResults?, recall: Int)
        /// The server was away: it may have forgotten what it had handed out, and what was acknowledged.
        case reconnected
        case tick(Moment)
        case controlled(RunControl)
        /// This worker ends.
        case stopped
    }

    /// How a transfer ended.
    enum Ending: Sendable {
        case finished(path: String, bytes: Int64, wasComplete: Bool)
        case failed(TransferFailure)
        case cancelled
    }

    enum Action: Equatable, Sendable {
        /// As the transfer with this number, which is one more than that of the last.
        case add(TransferID, TransferSpec)
        case cancel(TransferID)
        /// From the list of the engine.
        case remove(TransferID)
        case pauseAll, resumeAll
        /// The entry is settled.
        case acknowledge(String)
        /// It is still at work.
        case renew(String)
        /// Another worker is to have it, after a while.
        case giveBack(String, after: Duration)
        case store(ResultRecord)
        case storeFailure(FailureRecord)
        /// Asks for what the fleet has settled lately; the answer has the same number.
        case recall(Int)
        case tell(String)
        /// Closes the engine.
        case end
    }

    private struct Held {
        var delivery: Delivery
        /// `nil`: it never became a transfer.
        var transfer: TransferID?
        /// Where its file is put, below the worker's folder; `.`: there itself.
        var subfolder = "."
        /// What the server is to store before the entry is acknowledged.
        var outcome: Action?
        var isStoring = false
        /// The server last heard of it.
        var renewedAt: Moment
    }

    private let jobs: Int
    private let worker: String
    private let folder: WorkingFolder
    /// From the delivery of an entry to a sign of life for it, and from that to the next.
    private let renewal: Duration
    private var held: [UInt64: Held] = [:]
    private var sequences: [TransferID: UInt64] = [:]
    private var lastTransfer = 0
    private var control = RunControl()
    /// `control` is that of the server.
    private var hasControl = false
    private var isStopped = false
    /// Entries that the server had not handed out at the last delivery.
    private var pending = 0
    private var recent = RecentResults()
    /// When `recent` was read; `nil`: it does not hold.
    private var recalledAt: Moment?
    private var isRecalling = false
    /// Delivered, but perhaps settled already: they wait for `recent`.
    private var doubtful: [Delivery] = []
    /// Numbers them.
    private var recalls = 0
    /// Of the last tick.
    private var now = Moment(nanoseconds: 0)
    private var settledLately = FadingCount()
    private(set) var done = 0
    private(set) var failed = 0
    private(set) var bytes: Int64 = 0

    /// An entry that was given to workers so often, and never settled, kills its workers, or none can do it.
    static let mostDeliveries = 100
    /// A failure that lies with this machine is left to others so often.
    static let localTries = 10
    /// For an entry that another process works on, or that this machine cannot do.
    private static let longPause = Duration.seconds(10)
    /// Seconds of work: nats-server waits up to 9 s before another server of a cluster takes over from one that has gone.
    private static let reserve = 9
    /// One worker has so small a part of what is left: the fleet ends together.
    private static let reserveShare = 32
    /// For so long what was settled lately is not asked for again.
    private static let recallSpan = Duration.seconds(2)

    init(jobs: Int, worker: String, folder: WorkingFolder, renewal: Duration) {
        (self.jobs, self.worker, self.folder, self.renewal) = (jobs, worker, folder, renewal)
    }

    var heldCount: Int { held.count }
    /// The server is storing what became of an entry.
    var isStoring: Bool { held.values.contains { $0.isStoring } }

    /// The place in the queue of the run of what this transfer downloads.
    func entry(of transfer: TransferID) -> UInt64? { sequences[transfer] }

    /// How many entries are to be asked for, if so many are on their way.
    ///
    /// Beyond those at work it holds what it settles in half a second: enough to keep it busy while the server is asked for
    /// more, and of large files one, so that the last files of a list do not wait here for others. While the list is long it
    /// holds more, and goes on while the servers of a cluster agree on a new leader.
    func wanted(requested: Int) -> Int {
        guard !isStopped, !control.isPaused else { return 0 }
        let rate = settledLately.perSecond
        let ahead = max(min(4 * jobs, max(1, rate / 2)), min(rate * Self.reserve, pending / Self.reserveShare))
        return max(0, jobs + ahead - held.count - doubtful.count - requested)
    }

    mutating func apply(_ event: Event) -> [Action] {
        switch event {
        case .delivered(let delivery): take(delivery)
        case .settled(let id, let ending): settle(id, ending)
        case .stored(let sequence): acknowledge(sequence)
        case .notStored(let sequence): noteNotStored(sequence)
        case .recalled(let results, let recall): take(results, of: recall)
        case .reconnected: recall()
        case .tick(let now): tick(at: now)
        case .controlled(let new): obey(new)
        case .stopped: stop()
        }
    }
}

extension WorkerMachine {
    private mutating func take(_ delivery: Delivery) -> [Action] {
        let sequence = delivery.sequence
        pending = delivery.pending
        if held[sequence] != nil {
            // The server has not heard of it in time. It goes on; only the newest delivery can be acknowledged.
            held[sequence]?.delivery = delivery
            held[sequence]?.renewedAt = now
            return [.renew(delivery.reply)]
        }
        if isStopped { return [.giveBack(delivery.reply, after: .zero)] }
        if recent.has(delivery) { return [.acknowledge(delivery.reply)] }
        if isRecalling {
            doubtful.append(delivery)
            return []
        }
        if delivery.count > 1, recalledAt.map({ now - $0 >= Self.recallSpan }) ?? true {
            doubtful.append(delivery)
            return recall()
        }
        if control.cancels(sequence) { return [.acknowledge(delivery.reply)] }
        if control.isPaused { return [.giveBack(delivery.reply, after: .seconds(1))] }
        held[sequence] = Held(delivery: delivery, renewedAt: now)
        if let fault = delivery.formatFault { return fail(sequence, fault) }
        guard delivery.count <= Self.mostDeliveries else {
            return fail(sequence, "given to workers \(delivery.count) times, and none has settled it")
        }
        do throws(InvalidValue) {
            let spec = try FleetEntry.spec(delivery.body, in: folder)
            lastTransfer += 1
            let id = TransferID(lastTransfer)
            held[sequence]?.transfer = id
            held[sequence]?.subfolder = folder.relative(spec.folder)
            sequences[id] = sequence
            return [.add(id, spec)]
        } catch {
            return fail(sequence, "not a usable entry: \(error.message)")
        }
    }

    private mutating func recall() -> [Action] {
        isRecalling = true
        recalls += 1
        return [.recall(recalls)]
    }

    private mutating func take(_ results: RecentResults?, of recall: Int) -> [Action] {
        // An earlier one may be answered with what was before the server was away, or late.
        guard recall == recalls else { return [] }
        isRecalling = false
        if let results { recent = results }
        // Without an answer nothing is known: an entry that is done again costs its download, and no more.
        recalledAt = now
        let waiting = doubtful
        doubtful = []
        return waiting.flatMap { take($0) }
    }

    private mutating func settle(_ id: TransferID, _ ending: Ending) -> [Action] {
        guard let sequence = sequences[id], let entry = held[sequence], entry.outcome == nil else { return [] }
        switch ending {
        case .finished(let path, let bytes, let wasComplete):
            let place = entry.subfolder == "." ? path : "\(entry.subfolder)/\(path)"
            let record = ResultRecord(
                entry: sequence, id: entry.delivery.id, path: place, bytes: bytes, worker: worker,
                wasComplete: wasComplete)
            settledLately.count()
            return store(.store(record), for: sequence)
        case .failed(let failure):
            if case .inUse = failure { return giveBack(sequence, after: Self.longPause) }
            if failure.isMachinesFault, entry.delivery.count < Self.localTries {
                return giveBack(sequence, after: Self.longPause) + [.tell(failure.message + "; left to other workers")]
            }
            return fail(sequence, failure.message)
        case .cancelled:
            // By this worker alone, at its end or after a command for all.
            return control.cancels(sequence) ? acknowledge(sequence) : giveBack(sequence, after: .zero)
        }
    }

    private mutating func fail(_ sequence: UInt64, _ reason: String) -> [Action] {
        guard let delivery = held[sequence]?.delivery else { return [] }
        let text = String(validating: delivery.body, as: UTF8.self)
        let record = FailureRecord(
            entry: sequence, id: delivery.id, text: text ?? Base64.encoded(delivery.body), isBase64: text == nil,
            reason: reason, wasSubmitted: delivery.formatFault == nil, deliveries: delivery.count, worker: worker)
        return store(.storeFailure(record), for: sequence)
    }

    private mutating func store(_ outcome: Action, for sequence: UInt64) -> [Action] {
        held[sequence]?.outcome = outcome
        held[sequence]?.isStoring = true
        return [outcome]
    }

    private mutating func noteNotStored(_ sequence: UInt64) -> [Action] {
        // The next tick tries again.
        held[sequence]?.isStoring = false
        return []
    }

    private mutating func acknowledge(_ sequence: UInt64) -> [Action] {
        guard let entry = held[sequence] else { return [] }
        switch entry.outcome {
        case .store(let record): (done, bytes) = (done + 1, bytes + record.bytes)
        case .storeFailure: failed += 1
        default: break
        }
        return [.acknowledge(entry.delivery.reply)] + release(sequence)
    }

    private mutating func giveBack(_ sequence: UInt64, after pause: Duration) -> [Action] {
        guard let entry = held[sequence] else { return [] }
        return [.giveBack(entry.delivery.reply, after: pause)] + release(sequence)
    }

    private mutating func release(_ sequence: UInt64) -> [Action] {
        guard let id = held.removeValue(forKey: sequence)?.transfer else { return [] }
        sequences[id] = nil
        return isStopped ? [] : [.remove(id)]
    }

    private mutating func tick(at now: Moment) -> [Action] {
        self.now = now
        settledLately.pass(to: now)
        var actions: [Action] = []
        let entries = held.sorted { $0.key < $1.key }
        for (sequence, entry) in entries where !entry.isStoring {
            guard let outcome = entry.outcome else { continue }
            held[sequence]?.isStoring = true
            actions.append(outcome)
        }
        for (sequence, entry) in entries where now - entry.renewedAt >= renewal {
            held[sequence]?.renewedAt = now
            actions.append(.renew(entry.delivery.reply))
        }
        return actions
    }

    private mutating func obey(_ new: RunControl) -> [Action] {
        let old = control
        control = new
        if hasControl, new.stops > old.stops { return stop() }
        hasControl = true
        var actions: [Action] = []
        for (sequence, entry) in held.sorted(by: { $0.key < $1.key })
        where new.cancels(sequence) && !old.cancels(sequence) && entry.outcome == nil {
            if let id = entry.transfer { actions.append(.cancel(id)) }
        }
        if new.isPaused != old.isPaused { actions.append(new.isPaused ? .pauseAll : .resumeAll) }
        return actions
    }

    private mutating func stop() -> [Action] {
        guard !isStopped else { return [] }
        isStopped = true
        return [.end]
    }

    /// After the engine has ended: all that is not settled goes back at once; what the server has not stored yet is found
    /// complete by the next worker.
    mutating func giveBackAll() -> [Action] {
        let waiting = doubtful.map { Action.giveBack($0.reply, after: .zero) }
        doubtful = []
        return waiting + held.keys.sorted().flatMap { giveBack($0, after: .zero) }
    }
}

/// How many events there were in a second, lately: the last whole second, or the one before it.
struct FadingCount: Sendable {
    private var current = 0
    private var since: Moment?
    private(set) var perSecond = 0

    mutating func count() { current += 1 }

    mutating func pass(to now: Moment) {
        guard let start = since else { return since = now }
        let span = now - start
        guard span >= .seconds(1) else { return }
        perSecond = Int(Double(current) / (span / .seconds(1)))
        (current, since) = (0, now)
    }
}

/// An entry that the server has given to this worker.
struct Delivery: Hashable, Sendable {
    /// Identifies the entry in its queue.
    var sequence: UInt64
    /// How often it was given to a worker, this time included.
    var count: Int
    /// Entries that the server has not handed out yet.
    var pending: Int
    /// Where acknowledgements go.
    var reply: String
    var id: String
    var body: [UInt8]
    /// Of the message; `nil`: it has none.
    var format: String?
}

extension Delivery {
    /// - Returns: `nil` for a message that was not delivered by a consumer.
    init?(_ message: NatsMessage) {
        guard let reply = message.reply, let place = Self.place(reply) else { return nil }
        self.init(
            sequence: place.sequence, count: place.count, pending: place.pending, reply: reply,
            // That of an entry that is tried again has a number after a dot.
            id: String((message.headers["Nats-Msg-Id"] ?? "").prefix { $0 != "." }), body: message.body,
            format: message.headers[FleetFormat.header])
    }

    /// Of `$JS.ACK.STREAM.CONSUMER.COUNT.SEQUENCE.CONSUMERSEQUENCE.TIME.PENDING`, which newer servers give with domain and
    /// account after `ACK`, and may give with more at the end.
    static func place(_ reply: String) -> (sequence: UInt64, count: Int, pending: Int)? {
        let parts = reply.split(separator: ".")
        guard parts.count == 9 || parts.count >= 11, parts[0] == "$JS", parts[1] == "ACK" else { return nil }
        let first = parts.count == 9 ? 4 : 6
        guard let count = Int(parts[first]), let sequence = UInt64(parts[first + 1]) else { return nil }
        return (sequence, count, max(0, Int(parts[first + 4]) ?? 0))
    }

    /// Why the message is no entry that this version understands; `nil`: it is.
    var formatFault: String? {
        switch format {
        case "\(FleetFormat.current)": nil
        case nil: "not submitted by winch: the message has no \(FleetFormat.header) header"
        case .some(let other):
            "submitted by another version of winch: format \(other.prefix(20)), this one has \(FleetFormat.current)"
        }
    }
}

extension TransferFailure {
    /// The cause lies with this machine, so that another one may succeed.
    var isMachinesFault: Bool {
        switch self {
        case .diskFull, .folder, .readWrite, .nameServerDown, .networkDown: true
        default: false
        }
    }
}
