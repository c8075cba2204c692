import Glibc
import WinchModel
import WinchQueue
import WinchSession
import WinchTransport

/// The state of a running worker, and what it does for each input. Used by one task.
struct WorkerLoop {
    private let worker: FleetWorker
    private let engine: LocalQueue
    private let inbox: String
    private let ackWait: Duration
    private var machine: WorkerMachine
    private var gates: GateMachine
    private var bucket: GateBucket
    private var requests = PullRequests()
    private var totals: (working: Int, rate: Double) = (0, 0)
    private var ticks = 0
    private var toldFault: String?
    private var updates = WorkerUpdates()
    private let follower: EngineEar
    private var tally = RunTally()
    private(set) var isEnding = false
    /// Why it ends, when it was not told to.
    private(set) var fault: FleetFault?

    /// - Parameter ackWait: of the run; claims are renewed at a fifth of it.
    init(_ worker: FleetWorker, _ engine: LocalQueue, inbox: String, ackWait: Duration) {
        (self.worker, self.engine, self.inbox, self.ackWait) = (worker, engine, inbox, ackWait)
        let input = worker.input
        follower = EngineEar { input.yield(.update($0)) }
        machine = WorkerMachine(
            jobs: worker.settings.jobs, worker: worker.id, folder: worker.settings.folder,
            renewal: ackWait / 5)
        gates = GateMachine(
            worker: worker.id, most: worker.settings.gate, seed: .random(in: 0...UInt64.max))
        bucket = GateBucket(
            worker.run, worker: worker.id, send: { input.yield(.gate($0)) }, tell: { input.yield(.refused($0)) })
        engine.send(.shareHosts([:]))
    }

    private var link: NatsLink { worker.run.jetStream.link }

    var summary: FleetWorker.Summary {
        FleetWorker.Summary(done: machine.done, failed: machine.failed, bytes: machine.bytes)
    }

    mutating func take(_ input: FleetWorker.Input) {
        switch input {
        case .machine(let event):
            if case .controlled(let control) = event { apply(.limited(control.limit)) }
            perform(machine.apply(event))
        case .gate(let event): apply(event)
        case .message(let message): take(message)
        case .link(let event): take(event)
        case .engine(let news):
            totals = (news.totals.active, news.totals.rate?.perSecond ?? 0)
            for (id, ending) in news.endings { perform(machine.apply(.settled(id, ending))) }
            if !news.uses.isEmpty { apply(.used(news.uses)) }
        case .refused(let fault): tellOnce(fault.message)
        case .followed(let request): take(request)
        case .update(let update): updates.note(update)
        case .left(let count):
            if count == 0, machine.heldCount == 0, worker.settings.endsWhenDone { perform(machine.apply(.stopped)) }
        case .tick: tick()
        case .requestsOver: requests.endAll()
        }
        if !isEnding { fetch() }
    }

    private mutating func take(_ message: NatsMessage) {
        if let delivery = Delivery(message) {
            requests.noteDelivery(at: SystemClock.moment())
            return perform(machine.apply(.delivered(delivery)))
        }
        // A message of the server: the request has ended. 404 and 408: there are no entries; 409: it was refused.
        let number = message.subject.split(separator: ".").last.flatMap { Int($0) }
        if let number, message.status == 100 {
            return requests.noteHeartbeat(number, at: SystemClock.moment())
        }
        if let number { requests.end(number) }
        if message.status == 409, let words = message.headers["Description"] { tellOnce("the server says: \(words)") }
    }

    private mutating func take(_ event: NatsLink.Event) {
        switch event {
        case .lost: worker.tell("the connection to \(link.shownServer) is lost; winch goes on, and connects again")
        case .back:
            worker.tell("connected to \(link.shownServer) again")
            requests.endAll()
            worker.askForControl()
            apply(.reconnected)
            perform(machine.apply(.reconnected))
        case .fault(let words): tellOnce("the server says: \(words)")
        case .closed(let reason):
            (fault, isEnding) = (.closed(reason: reason), true)
        }
    }

    /// A message that is the same as the last one is not told again.
    private mutating func tellOnce(_ words: String) {
        guard words != toldFault else { return }
        toldFault = words
        worker.tell(words)
    }

    private mutating func tick() {
        ticks += 1
        let now = SystemClock.moment()
        if requests.pass(to: now) { openConsumer() }
        perform(machine.apply(.tick(now)))
        _ = gates.apply(.moved(totals.rate), at: GateBucket.now())
        apply(.tick)
        publishUpdates(at: now)
        guard ticks % 4 == 1 else { return }
        publishRecord()
        if ticks % 20 == 1 { publishTally() }
        // Changes are told at once; this is for those whose message was lost.
        if ticks % 20 == 1 { worker.askForControl() }
        if worker.settings.endsWhenDone, machine.heldCount == 0 { worker.askForLeft() }
    }

    private mutating func apply(_ event: GateMachine.Event) {
        perform(gates.apply(event, at: GateBucket.now()))
    }

    private mutating func perform(_ actions: [GateMachine.Action]) {
        bucket.perform(actions) { [engine] action in
            switch action {
            case .share(let host, let share): engine.send(.shareHosts([host: share]))
            case .limit(let limit): engine.send(.setRateLimit(limit.map(ByteRate.init(perSecond:))))
            default: break
            }
        }
    }

    private mutating func fetch() {
        let count = machine.wanted(requested: requests.requested)
        guard count > 0, requests.isEmpty || count >= max(1, worker.settings.jobs / 2) else { return }
        let number = requests.begin(count, at: SystemClock.moment())
        let body =
            "{\"batch\":\(count),\"expires\":\(PullRequests.span.nanoseconds),"
            + "\"idle_heartbeat\":\(PullRequests.heartbeat.nanoseconds)}"
        link.publish(
            "$JS.API.CONSUMER.MSG.NEXT.\(worker.run.queue).\(FleetRun.workersConsumer)", reply: "\(inbox).\(number)",
            Array(body.utf8))
    }

    /// A nats-server that was killed may have lost the consumer, and does not answer requests to one that it does not have.
    private func openConsumer() {
        var run = worker.run
        run.ackWait = ackWait
        Task { [run, input = worker.input] in
            do throws(FleetFault) {
                try await run.openConsumer()
            } catch {
                input.yield(.refused(error))
            }
        }
    }

    private mutating func perform(_ actions: [WorkerMachine.Action]) {
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: WorkerMachine.Action) {
        switch action {
        case .add(_, let spec): engine.inbox.add([Addition(spec: spec)])
        case .cancel(let id): engine.send(.cancel([id]))
        case .remove(let id): engine.send(.remove([id]))
        case .pauseAll: engine.send(.pauseAll)
        case .resumeAll: engine.send(.resumeAll)
        case .acknowledge(let reply): link.publish(reply, Array("+ACK".utf8))
        case .renew(let reply): link.publish(reply, Array("+WPI".utf8))
        case .giveBack(let reply, let pause):
            let delay = pause > .zero ? " {\"delay\":\(pause.nanoseconds)}" : ""
            link.publish(reply, Array(("-NAK" + delay).utf8))
        case .store(let record): store(record, of: record.entry, worker.run.doneSubject)
        case .storeFailure(let record):
            worker.tell("failed: \(record.firstURL): \(record.reason)")
            store(record, of: record.entry, worker.run.failedSubject)
        case .recall(let number): recall(number)
        case .tell(let words): tellOnce(words)
        case .end: isEnding = true
        }
    }

    private func recall(_ number: Int) {
        Task { [run = worker.run, input = worker.input] in
            do throws(FleetFault) {
                let results = try await RecentResults(of: run)
                input.yield(.machine(.recalled(results, recall: number)))
            } catch {
                input.yield(.machine(.recalled(nil, recall: number)))
            }
        }
    }

    private func store(_ record: some Encodable, of entry: UInt64, _ subject: String) {
        let input = worker.input
        // The sequence as the ID: an entry is settled once, however often it was delivered.
        worker.run.jetStream.store(subject, id: "\(entry)", KeyValueBucket.encode(record)) { result in
            switch result {
            case .success: input.yield(.machine(.stored(entry)))
            case .failure(let fault):
                input.yield(.machine(.notStored(entry)))
                input.yield(.refused(fault))
            }
        }
    }

    private mutating func take(_ request: FollowRequest) {
        let (wasFollowed, watched) = (updates.isFollowed, updates.watched)
        updates.take(request, at: SystemClock.moment())
        if !wasFollowed { engine.feed.subscribe(follower, knowing: nil) }
        if updates.watched != watched { engine.send(.watch(updates.watched)) }
    }

    private mutating func publishUpdates(at now: Moment) {
        guard updates.isFollowed else { return }
        guard updates.pass(to: now) else {
            engine.feed.unsubscribe(follower)
            return engine.send(.watch(nil))
        }
        let engine = engine
        for update in updates.takeMessages(at: now, log: { engine.feed.latestLog.suffix(Self.entriesOfLog) }) {
            let ids = (update.rows ?? []).map(\.id) + (update.motions ?? []).map(\.id)
            let entries = ids.compactMap { id in machine.entry(of: id).map { (id.number, $0) } }
            let message = WorkerUpdate(update: update, entries: Dictionary(entries) { $1 })
            link.publish(
                worker.run.updatesSubject(ofWorker: worker.id), headers: FleetFormat.headers,
                KeyValueBucket.encode(message))
        }
    }

    /// For a dashboard that joins.
    private static let entriesOfLog = 100

    /// Says what this worker has added to the run, unless it has said so.
    private mutating func publishTally() {
        let new = RunTally(done: machine.done, bytes: machine.bytes)
        guard new != tally else { return }
        tally = new
        worker.run.state.publish("\(RunTally.prefix)\(worker.id)", new)
    }

    private func publishRecord() {
        let settings = worker.settings
        let record = WorkerRecord(
            name: settings.name, version: WinchVersion.text, pid: getpid(), jobs: settings.jobs,
            held: machine.heldCount, working: totals.working, connections: totals.working, rate: totals.rate,
            free: Self.free(settings.folder.absolute(".")), done: machine.done, failed: machine.failed,
            bytes: machine.bytes)
        worker.run.workers.publish(worker.id, record)
    }

    private static func free(_ folder: String) -> Int64? {
        var system = statvfs()
        guard statvfs(folder.cBytes, &system) == 0, system.f_blocks > 0 else { return nil }
        return Int64(
            clamping: UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue)
    }

    /// For the server to give entries to requests that it still has.
    private static let requestTime = Duration.milliseconds(300)
    /// For the server to store what was complete before the end.
    private static let storingTime = Duration.seconds(2)

    /// Gives back what is not settled, after the end of the engine.
    mutating func end() async {
        guard fault == nil else { return }
        let deadline = SystemClock.moment() + Self.storingTime
        while machine.isStoring, SystemClock.moment() < deadline, let input = await next() { take(input) }
        perform(machine.giveBackAll())
        perform(gates.giveBack())
        // The server answers the requests of this worker first. nats-server 2.9 holds an entry for which the request has gone
        // until its claim ends: these are given back until no request is left.
        Task.detached { [input = worker.input] in
            try? await Task.sleep(for: Self.requestTime)
            input.yield(.requestsOver)
        }
        while !requests.isEmpty || gates.isGivingBack && SystemClock.moment() < deadline, let input = await next() {
            take(input)
        }
        publishTally()
        try? await worker.run.workers.remove(worker.id)
        link.flush()
    }

    private func next() async -> FleetWorker.Input? {
        for await input in worker.inputs { return input }
        return nil
    }
}

/// The requests for entries that wait at the server: each is answered by as many deliveries as it asks for, or ends with its
/// time.
struct PullRequests: Sendable {
    private struct Request {
        var number: Int
        var missing: Int
        var end: Moment
        /// When the server last showed that it has the request.
        var heardAt: Moment
    }

    private var open: [Request] = []
    private var last = 0

    /// At the server. A worker that dies leaves no request for longer.
    static let span = Duration.seconds(10)
    /// The answer that a request has ended may be lost.
    private static let grace = Duration.seconds(3)

    /// While it has no entries, the server says so often that it still has the request.
    static let heartbeat = Duration.seconds(1)
    /// A request of which nothing was heard for so long is lost: another server of the cluster may have taken over.
    private static let longestSilence = Duration.seconds(3)

    var requested: Int { open.reduce(0) { $0 + $1.missing } }
    var isEmpty: Bool { open.isEmpty }

    /// - Returns: the number of the new request.
    mutating func begin(_ count: Int, at now: Moment) -> Int {
        last += 1
        open.append(Request(number: last, missing: count, end: now + Self.span + Self.grace, heardAt: now))
        return last
    }

    /// A delivery does not say which request it answers: the server answers the oldest first.
    mutating func noteDelivery(at now: Moment) {
        guard !open.isEmpty else { return }
        // The server works on all of them.
        for index in open.indices { open[index].heardAt = now }
        open[0].missing -= 1
        if open[0].missing == 0 { open.removeFirst() }
    }

    mutating func noteHeartbeat(_ number: Int, at now: Moment) {
        for index in open.indices where open[index].number >= number { open[index].heardAt = now }
    }

    mutating func end(_ number: Int) { open.removeAll { $0.number <= number } }
    mutating func endAll() { open = [] }

    /// - Returns: the server has left requests without an answer, and they are given up.
    mutating func pass(to now: Moment) -> Bool {
        let before = open.count
        open.removeAll { $0.end <= now || now - $0.heardAt >= Self.longestSilence }
        return open.count < before
    }
}

/// The entries that were settled last, in the run as a whole.
///
/// A server that was killed may have forgotten which entries it had handed out and which were acknowledged, and a worker that was
/// killed may not have acknowledged what it had finished. Such an entry is delivered once more, although its result is stored.
struct RecentResults: Sendable {
    /// The ID of each entry, as in `ResultRecord`, by the entry's place in the queue.
    private var ids: [UInt64: String] = [:]

    /// 5,000 results, about 1 MB: a fleet of 1,000 files a second stores so many in 5 s. A server loses what it had to write in
    /// the last second.
    private static let most: UInt64 = 5000
    /// In one piece.
    private static let piece = 500

    init() {}

    init(_ records: some Sequence<ResultRecord>) {
        for record in records { ids[record.entry] = record.id }
    }

    /// Reads them from the server.
    init(of run: FleetRun) async throws(FleetFault) {
        let last = try await run.jetStream.info(ofStream: run.done)?.state.last ?? 0
        guard last > 0 else { return }
        let reader = try await StreamReader(run.done, from: last - min(last, Self.most) + 1, at: run.jetStream)
        while true {
            let piece = try await reader.next(atMost: Self.piece)
            for stored in piece {
                let record: ResultRecord? = KeyValueBucket.decode(stored.message.body)
                if let record { ids[record.entry] = record.id }
            }
            // What comes meanwhile is the work of others now.
            guard let end = piece.last, end.sequence < last else { return }
        }
    }

    /// The result of the entry is stored. Another list may have had its place in a queue of the same name.
    func has(_ delivery: Delivery) -> Bool { ids[delivery.sequence] == delivery.id }
}
