import Synchronization
import TestSupport

@testable import WinchModel
@testable import WinchQueue

/// A transport that records all calls and replies with the events of a closure.
final class ScriptedTransport: TransportPort {
    private let calls = Mutex<[String]>([])
    private let inbox: Inbox
    private let answer: @Sendable (String, ConnectionID) -> [TransportEvent]

    init(inbox: Inbox, answer: @escaping @Sendable (String, ConnectionID) -> [TransportEvent]) {
        self.inbox = inbox
        self.answer = answer
    }

    /// The calls, without those of `limit`, which depend on the clock.
    var asked: [String] { calls.withLock { $0 } }

    func open(_ request: ConnectionRequest) { take("open", request.connection) }
    func close(_ id: ConnectionID, discarding: Bool) { take(discarding ? "drop" : "close", id) }
    func proceed(_ id: ConnectionID) { take("proceed", id) }
    func withdraw(_ request: ConnectionRequest) { take("withdraw", request.connection) }
    func retire(_ id: ConnectionID, atOnce: Bool) { take("retire", id) }
    func askNoMore(_ id: TransferID) { take("askNoMore", ConnectionID(transfer: id)) }
    func discard(
        _ id: TransferID, _ resume: ResumePoint?, folder: String, namedParts: Int, addresses: [TransferURL]
    ) {
        take("discard", ConnectionID(transfer: id))
    }
    func probe(_ request: ProbeRequest) { take("probe", ConnectionID(transfer: request.id)) }
    func stopProbe(_ id: TransferID) { take("stopProbe", ConnectionID(transfer: id)) }
    func limit(_ id: ConnectionID, to rate: ByteRate?) {}
    func trust(_ key: SSHHostKey, remembering: Bool) { calls.withLock { $0.append("trust \(key.host)") } }
    func unlock(keyFile: String, _ passphrase: Secret) { calls.withLock { $0.append("unlock \(keyFile)") } }
    func logIn(at origin: String, user: String, _ password: Secret, instead refused: Set<String?>) {
        calls.withLock { $0.append("log in \(user) \(origin)") }
    }
    func space(in folder: String) async -> DiskSpaceReading? { nil }
    func shutDown() async {
        calls.withLock { $0.append("shutDown") }
        inbox.report(reports("shutDown", .sample(1)))
    }

    private func take(_ call: String, _ id: ConnectionID) {
        calls.withLock { $0.append("\(call) \(id.transfer.number)") }
        let reports = reports(call, id)
        if !reports.isEmpty { inbox.report(reports) }
    }

    private func reports(_ call: String, _ id: ConnectionID) -> [TransportReport] {
        answer(call, id).map { TransportReport(id, at: Moment(seconds: 1), event: $0) }
    }
}

/// The clocks of the engine.
struct StageClock: Sendable {
    let now: @Sendable () -> Moment
    var slept: @Sendable () -> Duration = { .zero }

    /// A clock that never advances.
    static let still = StageClock(now: { Moment(seconds: 1) })

    /// A clock that advances, for tests that wait for the heartbeat.
    static var running: StageClock {
        let start = ContinuousClock.now
        return StageClock(now: { Moment(seconds: 1) + (ContinuousClock.now - start) })
    }
}

/// Passes updates on to a stream.
private final class Relay: UpdateSubscriber {
    private let continuation: AsyncStream<Update>.Continuation

    init(_ continuation: AsyncStream<Update>.Continuation) { self.continuation = continuation }

    func post(_ update: Update) { continuation.yield(update) }
}

/// A running engine with a scripted transport and an optional ledger in memory.
final class Stage: Sendable {
    let inbox = Inbox()
    let transport: ScriptedTransport
    let feed = UpdateFeed()
    let engine: Engine
    private let run: Task<RunSummary, Never>
    let updates: AsyncStream<Update>
    private let end: @Sendable () -> Void
    private let marks = Mutex(0)

    init(
        slots: Int = 2, ledger: MemoryLedger? = nil, clock: StageClock = .still,
        answer: @escaping @Sendable (String, ConnectionID) -> [TransportEvent] = { _, _ in [] }
    ) {
        transport = ScriptedTransport(inbox: inbox, answer: answer)
        var settings = QueueSettings()
        settings.slots = slots
        settings.mode = .simple
        settings.perNewHost = slots
        let (updates, continuation) = AsyncStream.makeStream(of: Update.self)
        self.updates = updates
        end = { continuation.finish() }
        let engine = Engine(
            settings: settings, inbox: inbox, transport: transport,
            ledgerSession: ledger.map {
                RunLedger(ledger: $0, firstKey: LedgerKey(1), date: { UnixTime(milliseconds: 1_000) })
            }, now: clock.now, slept: clock.slept,
            date: { UnixTime(milliseconds: 1_001_000) }, feed: feed)
        self.engine = engine
        feed.subscribe(Relay(continuation))
        run = Task { await engine.run() }
    }

    func add(_ count: Int) {
        guard let url = try? TransferURL("http://a.example/file") else { return }
        inbox.add((0..<count).map { _ in Addition(spec: TransferSpec(urls: [url])) })
    }

    /// Waits until the engine has handled everything that was sent before. Recognises this by a unique rate limit that it sends
    /// itself.
    ///
    /// - Returns: the updates that were posted meanwhile; the last one contains that rate limit.
    @discardableResult
    func caughtUp() async -> [Update] {
        let mark = marks.withLock { mark in
            mark += 1
            return ByteRate(perSecond: 1e9 + Double(mark))
        }
        inbox.send(.setRateLimit(mark))
        var seen: [Update] = []
        for await update in updates {
            seen.append(update)
            if update.totals.rateLimit == mark { break }
        }
        return seen
    }

    func quit() async -> RunSummary {
        inbox.send(.quit)
        return await run.value
    }

    /// Waits for the end of the engine and returns its last update.
    func lastUpdate() async -> Update? {
        _ = await run.value
        end()
        var last: Update?
        for await update in updates { last = update }
        return last
    }
}
