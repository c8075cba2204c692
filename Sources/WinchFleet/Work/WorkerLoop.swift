import FoundationEssentials
import Glibc
import WinchModel
import WinchSession
import WinchTransport

/// The state of a running worker, and what it does for each input. Used by one task.
struct WorkerLoop {
    private let worker: FleetWorker
    private let engine: WorkerEngine
    private let inbox: String
    private var machine: WorkerMachine
    private var gates: GateMachine
    private var bucket: GateBucket
    private var requests = PullRequests()
    private var totals: (working: Int, rate: Double) = (0, 0)
    private var ticks = 0
    private var toldFault: String?
    private var updates = WorkerUpdates()
    private let follower: QueueFollower
    private var tally = RunTally()
    private(set) var isEnding = false
    /// Why it ends, when it was not told to.
    private(set) var fault: FleetFault?

    init(_ worker: FleetWorker, _ engine: WorkerEngine, inbox: String) {
        (self.worker, self.engine, self.inbox) = (worker, engine, inbox)
        follower = QueueFollower(worker.input)
        machine = WorkerMachine(
            jobs: worker.settings.jobs, worker: worker.id, folder: worker.settings.folder,
            renewal: worker.run.ackWait / 5)
        gates = GateMachine(
            worker: worker.id, most: worker.settings.gate, seed: .random(in: 0...UInt64.max))
        let input = worker.input
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
        requests.pass(to: now)
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
        let engine = engine
        bucket.perform(actions) { action in
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

    private mutating func perform(_ actions: [WorkerMachine.Action]) {
        for action in actions { perform(action) }
    }

    private mutating func perform(_ action: WorkerMachine.Action) {
        switch action {
        case .add(_, let spec): engine.add([spec])
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
        case .recall: recall()
        case .tell(let words): tellOnce(words)
        case .end: isEnding = true
        }
    }

    private func recall() {
        let (run, input) = (worker.run, worker.input)
        Task {
            do throws(FleetFault) {
                let results = try await RecentResults(of: run)
                input.yield(.machine(.recalled(results)))
            } catch {
                input.yield(.machine(.recalled(nil)))
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
        if !wasFollowed { engine.follow(follower) }
        if updates.watched != watched { engine.send(.watch(updates.watched)) }
    }

    private mutating func publishUpdates(at now: Moment) {
        guard updates.isFollowed else { return }
        guard updates.pass(to: now) else {
            engine.unfollow(follower)
            return engine.send(.watch(nil))
        }
        let engine = engine
        for update in updates.takeMessages(at: now, log: { engine.latestLog.suffix(Self.entriesOfLog) }) {
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
        link.publish(
            "$KV.\(worker.run.state.name).\(RunTally.prefix)\(worker.id)", headers: FleetFormat.headers,
            KeyValueBucket.encode(new))
    }

    private func publishRecord() {
        let settings = worker.settings
        let record = WorkerRecord(
            name: settings.name, version: WinchVersion.text, pid: getpid(), jobs: settings.jobs,
            held: machine.heldCount, working: totals.working, connections: totals.working, rate: totals.rate,
            free: Self.free(settings.folder.absolute(".")), done: machine.done, failed: machine.failed,
            bytes: machine.bytes)
        link.publish(
            "$KV.\(worker.run.workers.name).\(worker.id)", headers: FleetFormat.headers, KeyValueBucket.encode(record))
    }

    private static func free(_ folder: String) -> Int64? {
        var system = statvfs()
        guard statvfs(folder, &system) == 0, system.f_blocks > 0 else { return nil }
        return Int64(
            clamping: UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue)
    }

    /// For the server to give entries to requests that it still has.
    private static let requestTime = Duration.milliseconds(300)
    /// For the server to store what was complete before the end.
    private static let storingTime = Duration.seconds(2)

    /// Gives back what is not settled.
    mutating func end() async {
        await engine.end()
        guard fault == nil else { return }
        let deadline = SystemClock.moment() + Self.storingTime
        while machine.isStoring, SystemClock.moment() < deadline, let input = await next() { take(input) }
        perform(machine.giveBackAll())
        perform(gates.giveBack())
        // The server answers the requests of this worker first. nats-server 2.9 holds an entry for which the request has gone
        // until its claim ends: these are given back until no request is left.
        let input = worker.input
        Task.detached {
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

extension FailureRecord {
    /// For messages; without a login.
    package var firstURL: String {
        let line = text.split(separator: "\n").first ?? ""
        let url = line.split(separator: "\t").first.map(String.init) ?? ""
        return (try? TransferURL(typed: url))?.redacted ?? String(url.prefix(80))
    }
}
