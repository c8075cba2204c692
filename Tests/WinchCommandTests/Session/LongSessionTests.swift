import FoundationEssentials
import TestSupport
import Testing
import WinchSession

@testable import WinchModel
@testable import WinchQueue
@testable import winch

/// Finishes each transfer as soon as it is opened.
private struct FinishingTransport: TransportPort {
    let inbox: Inbox
    let now: @Sendable () -> Moment

    func open(_ request: ConnectionRequest) {
        let event = TransportEvent.finished(.saved(path: "f"), size: ByteCount(bytes: 3))
        inbox.report([TransportReport(request.connection, at: now(), event: event)])
    }

    func close(_ id: ConnectionID, discarding: Bool) {}
    func retire(_ id: ConnectionID, atOnce: Bool) {}
    func askNoMore(_ id: TransferID) {}
    func proceed(_ id: ConnectionID) {}
    func withdraw(_ request: ConnectionRequest) {}
    func discard(
        _ id: TransferID, _ resume: ResumePoint?, folder: String, namedParts: Int, addresses: [TransferURL]
    ) {}
    func probe(_ request: ProbeRequest) {}
    func stopProbe(_ id: TransferID) {}
    func limit(_ id: ConnectionID, to rate: ByteRate?) {}
    func trust(_ key: SSHHostKey, remembering: Bool) {}
    func unlock(keyFile: String, _ passphrase: Secret) {}
    func logIn(at origin: String, user: String, _ password: Secret, instead refused: Set<String?>) {}
    func space(in folder: String) async -> DiskSpaceReading? { nil }
    func shutDown() async {}
}

/// A client that has the state of the session. It gives the thread back soon, which the engine may need.
private struct Follower {
    let link: SessionConnection
    var copy = QueueCopy()

    mutating func follow(until isTrue: (QueueCopy) -> Bool) async throws {
        while !isTrue(copy) {
            let messages = try link.receive(milliseconds: 5)
            for case .update(let update) in messages { copy.apply(update) }
            if messages.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
    }
}

/// The queue, its feed and the server of a session with one client that follows, as in a session that runs for a month.
@Suite struct `A session after thousands of transfers that were removed` {
    /// `WINCH_TRANSFERS`, as `make torture` sets it.
    private static let transfers = Runs.count(of: "TRANSFERS") ?? 4000
    private static let (rounds, files) = (transfers / 100, 100)

    @Test func `holds no more than after half of them`() async throws {
        let folder = try TemporaryFolder()
        let access = SessionAccess(folder: folder.path + "/state")
        let (inbox, feed) = (Inbox(), UpdateFeed())
        let start = ContinuousClock.now
        let now: @Sendable () -> Moment = { Moment(seconds: 1) + (ContinuousClock.now - start) }
        var settings = QueueSettings()
        (settings.slots, settings.perNewHost, settings.mode) = (8, 8, .simple)
        let engine = Engine(
            settings: settings, inbox: inbox, transport: FinishingTransport(inbox: inbox, now: now), now: now,
            date: { UnixTime(milliseconds: 1_000_000) }, feed: feed)
        let run = Task { await engine.run() }
        let actions = SessionActions(
            LocalQueue(inbox: inbox, feed: feed), parseBatch: { _, _ in SessionActions.Batch([], problems: []) },
            retry: { inbox.send(.retry($0), reply: $1) }, takeOver: { reply in reply(0, []) }, now: now)
        let greeting = Greeting(winch: "1", session: "", pid: 7, origin: UnixTime(milliseconds: 0))
        let server = try SessionServer(access.place.listen(), greeting: greeting, ports: actions)
        server.start()
        var client = Follower(link: try access.open(patience: .seconds(60)).link)
        client.link.send(SessionRequest(.follow))
        var half: (bytes: Int, descriptors: Int, threads: Int)?
        for round in 0..<Self.rounds {
            let specs = try (0..<Self.files).map { number in
                TransferSpec(urls: [try TransferURL("http://a.example/\(round)-\(number)")])
            }
            for request in try SessionRequest.adding(specs) { client.link.send(request) }
            try await client.follow { $0.totals.count == Self.files && $0.totals.settled == Self.files }
            var removal = SessionRequest(.remove)
            removal.which = .all
            client.link.send(removal)
            try await client.follow { $0.count == 0 && $0.totals.count == 0 }
            // By then the log of the feed is full.
            if round == Self.rounds / 2 {
                half = (bytes: await size(of: engine), descriptors: entries("fd"), threads: entries("task"))
            }
        }
        let before = try require(half)
        let rows = await engine.snapshot().rows
        expect(rows.isEmpty)
        // Other tests run beside this one: the bounds are for what each transfer would leave.
        let bytes = await size(of: engine)
        expectLess(bytes, than: before.bytes + 100_000)
        expectLess(entries("fd"), than: before.descriptors + 500)
        expectLess(entries("task"), than: before.threads + 500)
        server.stop()
        inbox.send(.quit)
        _ = await run.value
    }

    /// Bytes of the state that the engine would send to a new client, in words.
    private func size(of engine: Engine) async -> Int { String(describing: await engine.snapshot()).utf8.count }

    private func entries(_ name: String) -> Int { TemporaryFolder.names(in: "/proc/self/" + name).count }
}
