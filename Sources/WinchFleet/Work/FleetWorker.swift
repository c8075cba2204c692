import Glibc
import WinchKit
package import WinchModel
import WinchQueue

/// A machine's part in a run: takes entries from the queue, downloads them, and tells the server how they ended.
///
/// One task (`work`) has all its state; what comes from other threads comes as an `Input`.
package final class FleetWorker: Sendable {
    package struct Settings: Sendable {
        /// Transfers at a time, at least 1.
        package var jobs = 4
        package var perHost = 8
        /// Connections of all workers together to one host, at most.
        package var gate = 8
        /// Absolute; where files are put.
        package var folder: WorkingFolder
        /// Shown to the user; that of the machine.
        package var name: String
        /// Ends when the queue of the run is empty.
        package var endsWhenDone = false
        /// As of `FleetRun.open`.
        package var replicas = 1
        /// As of `FleetRun`: for a new run.
        package var ackWait = FleetRun.usualAckWait

        package init(folder: WorkingFolder, name: String) { (self.folder, self.name) = (folder, name) }
    }

    enum Input: Sendable {
        case machine(WorkerMachine.Event)
        case message(NatsMessage)
        case link(NatsLink.Event)
        case engine(EngineNews)
        case gate(GateMachine.Event)
        case refused(FleetFault)
        /// A dashboard asks.
        case followed(FollowRequest)
        /// Of the engine's queue, while a dashboard follows it.
        case update(Update)
        /// Entries of the run that are not settled.
        case left(UInt64)
        case tick
        /// The time is over in which the server answers the last requests.
        case requestsOver
    }

    /// What a worker has done.
    package struct Summary: Hashable, Sendable {
        package var done: Int
        package var failed: Int
        package var bytes: Int64
    }

    package let run: FleetRun
    let settings: Settings
    /// Names this worker in the bucket of workers: its name and a random number.
    package let id: String
    let tell: @Sendable (String) -> Void
    let inputs: AsyncStream<Input>
    let input: AsyncStream<Input>.Continuation

    /// Connects.
    ///
    /// - Parameter tell: receives messages for the user, a line each, on any thread.
    package init(
        _ server: ServerChoice, run name: String, _ settings: Settings, tell: @escaping @Sendable (String) -> Void
    ) throws(FleetFault) {
        let (inputs, input) = AsyncStream.makeStream(of: Input.self)
        let link = try NatsLink(server, name: "winch fleet work \(settings.name)") { input.yield(.link($0)) }
        var run = try FleetRun(name, at: link)
        run.ackWait = settings.ackWait
        self.run = run
        (self.settings, self.tell, self.inputs, self.input) = (settings, tell, inputs, input)
        let plain = settings.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        id = String(plain.prefix(40)) + "-" + String(UInt32.random(in: 0...UInt32.max), radix: 36)
    }

    /// Ends `work` soon: all entries go back to the queue. May be called on any thread.
    package func stop() { input.yield(.machine(.stopped)) }

    /// Works until `stop`, or until a command to the run ends it.
    ///
    /// - Throws: what keeps it from starting, and `closed`.
    package func work() async throws(FleetFault) -> Summary {
        let ackWait = try await run.open(replicas: settings.replicas)
        try await GateBucket.ensure(run, replicas: settings.replicas)
        let control = try await run.control()
        let input = input
        let inbox = run.jetStream.link.newInbox()
        let deliveries = try run.jetStream.link.subscribe(inbox + ".*") { input.yield(.message($0)) }
        let watch = try run.state.watch(RunControl.key) { [self] _, _ in askForControl() }
        let follows = try [nil, id].map { (worker) throws(FleetFault) in
            try run.jetStream.link.subscribe(run.followSubject(ofWorker: worker)) { message in
                input.yield(.followed(FollowRequest(message.body)))
            }
        }
        var queue = QueueSettings()
        (queue.slots, queue.perHost) = (settings.jobs, min(settings.perHost, settings.gate))
        // How many connections a host takes is found out by all workers together.
        queue.perNewHost = queue.perHost
        let host: EngineHost
        do throws(TransferFailure) {
            host = try EngineHost(settings: queue)
        } catch {
            throw .badValue("the engine cannot start: \(error.message)")
        }
        host.queue.feed.subscribe(EngineEar { input.yield(.engine(EngineNews($0))) })
        let running = host.start()
        let ticking = Task.ticking { input.yield(.tick) }
        defer {
            ticking.cancel()
            deliveries.end()
            watch.end()
            follows.forEach { $0.end() }
        }
        var loop = WorkerLoop(self, host.queue, inbox: inbox, ackWait: ackWait)
        loop.take(.machine(.controlled(control)))
        for await input in inputs {
            loop.take(input)
            if loop.isEnding { break }
        }
        // Closes all connections and keeps the part files.
        host.queue.send(.quit)
        await running.value
        await loop.end()
        // So that the servers hear of the end of their connections.
        _ = host.end(within: Self.timeLimit)
        if let fault = loop.fault { throw fault }
        return loop.summary
    }

    /// 3 s: how long servers may take to answer the closing of a connection.
    private static let timeLimit = Duration.seconds(3)

    /// Asks what the workers are to do now; the answer is an input.
    func askForControl() {
        Task { [self] in
            guard let control = try? await run.control() else { return }
            input.yield(.machine(.controlled(control)))
        }
    }

    /// Asks how many entries are left; the answer is an input.
    func askForLeft() {
        Task { [self] in
            guard let left = try? await run.left() else { return }
            input.yield(.left(left))
        }
    }
}

/// Passes the updates of an engine on.
final class EngineEar: UpdateSubscriber {
    private let hear: @Sendable (Update) -> Void
    init(_ hear: @escaping @Sendable (Update) -> Void) { self.hear = hear }
    func post(_ update: Update) { hear(update) }
}

/// What an update of the engine means to a worker.
struct EngineNews: Sendable {
    var endings: [(TransferID, WorkerMachine.Ending)] = []
    var totals: QueueTotals
    /// What the queue has and wants at the hosts.
    var uses: [HostUse]

    init(_ update: Update) {
        (totals, uses) = (update.totals, update.hostUse ?? [])
        for event in update.events {
            guard let id = event.id, let ending = Self.ending(event) else { continue }
            endings.append((id, ending))
        }
    }

    private static func ending(_ event: FeedEvent) -> WorkerMachine.Ending? {
        switch event.kind {
        case .finished(let outcome):
            let bytes = (event.size ?? event.have).bytes
            return .finished(path: outcome.path, bytes: bytes, wasComplete: outcome.isNothingNew)
        case .failed(let failure): return .failed(failure)
        case .cancelled: return .cancelled
        default: return nil
        }
    }
}

extension TransferPhase.Outcome {
    /// The file was there.
    fileprivate var isNothingNew: Bool {
        switch self {
        case .skipped, .alreadyComplete: true
        case .saved, .sent, .listed: false
        }
    }
}
