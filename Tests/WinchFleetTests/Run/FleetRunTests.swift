import Foundation
import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `A run of a fleet` {
    private let server: NatsServer
    private let run: FleetRun

    init() async throws {
        server = try await NatsServer()
        run = try server.run()
    }

    @Test func `makes what is missing, and finds it again`() async throws {
        let absent = run
        await #expect(throws: FleetFault.self) { try await absent.find() }
        try await run.open()
        try await run.open()
        try await run.find()
        let queue = try await require(run.jetStream.info(ofStream: "winch-test-queue"))
        expectEqual(queue.config.retention, .workqueue)
        let consumer = try await run.jetStream.info(ofConsumer: "workers", of: "winch-test-queue")
        expectEqual(consumer?.config.ackWait, 20_000_000_000)
        expectEqual(consumer?.config.maxAckPending, 1_000_000)
    }

    @Test func `keeps the time after which its entries are delivered again, whatever others want`() async throws {
        var first = try server.run()
        first.ackWait = .seconds(3)
        try await expectEqual(first.open(), .seconds(3))
        let second = try server.run()
        try await expectEqual(second.open(), .seconds(3))
        let consumer = try await second.jetStream.info(ofConsumer: "workers", of: "winch-test-queue")
        expectEqual(consumer?.config.ackWait, 3_000_000_000)
    }

    @Test func `does not make the server write the settings of its consumer again`() async throws {
        try await run.open()
        let path = "store/jetstream/$G/streams/winch-test-queue/obs/workers/meta.inf"
        // The server writes the file with each change, and reads it at its start alone.
        try FileManager.default.removeItem(at: server.folder.appending(path: path))
        try await run.open()
        expect(!FileManager.default.fileExists(atPath: server.folder.appending(path: path).path))
    }

    @Test func `has a name that can be a part of a stream's`() {
        for name in ["", "a.b", "a b", "*", "ä", String(repeating: "x", count: 65)] {
            #expect(throws: FleetFault.self, "\(name)") { try server.run(name) }
        }
    }

    @Test(
        arguments: [
            ("winch-test-queue", "orders", "orders of the shop"), ("all", "winch.>", "everything"),
        ] as [(String, String, String)])
    func `refuses a stream of another program with its name or its subject`(
        name: String, subject: String, description: String
    ) async throws {
        try await run.jetStream.create(StreamSettings(name, subjects: [subject], description: description))
        let refused = run
        await #expect {
            try await refused.open()
        } throws: { error in
            guard case .foreign(let found, let reason) = error as? FleetFault else { return false }
            return name == "all" || found == "the stream " + name && reason.contains(description)
        }
    }

    @Test func `refuses a stream of another version`() async throws {
        try await run.jetStream.create(
            StreamSettings(
                "winch-test-queue", subjects: ["winch.test.queue"], description: "winch fleet, format 2: queue"))
        let refused = run
        await #expect(throws: FleetFault.otherFormat("the stream winch-test-queue", format: "2")) {
            try await refused.open()
        }
    }

    @Test func `keeps values in its buckets, and replaces only the revision that was read`() async throws {
        try await run.open()
        try await expectNil(run.state.get("x")?.value)
        try await expect(run.state.replace("x", revision: nil, by: [1]) != nil)
        try await expectNil(run.state.replace("x", revision: nil, by: [2]))
        let entry = try await require(run.state.get("x"))
        expectEqual(entry.value, [1])
        try await expect(run.state.replace("x", revision: entry.revision, by: [3]) != nil)
        try await expectNil(run.state.replace("x", revision: entry.revision, by: [4]))
        try await expectEqual(run.state.keys(), ["x"])
        try await run.state.remove("x")
        try await expectNil(run.state.get("x")?.value)
        // Stored again, once.
        let revision = try await require(run.state.replace("x", revision: nil, by: [5]))
        let again = try await require(run.state.get("x"))
        expectEqual(again.value, [5])
        expectEqual(again.revision, revision)
        try await expectNil(run.state.replace("x", revision: nil, by: [6]))
    }
}

extension JetStream {
    func create(_ settings: StreamSettings) async throws {
        let _: StreamInfo = try await ask("STREAM.CREATE." + settings.name, settings)
    }
}
