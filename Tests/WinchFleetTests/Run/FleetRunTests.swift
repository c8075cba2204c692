import Testing

@testable import WinchFleet

@Suite struct `A run of a fleet` {
    @Test func `makes what is missing, and finds it again`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        await #expect(throws: FleetFault.self) { try await run.find() }
        try await run.open()
        try await run.open()
        try await run.find()
        let queue = try #require(try await run.jetStream.info(ofStream: "winch-test-queue"))
        #expect(queue.config.retention == .workqueue)
        let consumer = try await run.jetStream.info(ofConsumer: "workers", of: "winch-test-queue")
        #expect(consumer?.config.ackWait == 20_000_000_000)
        #expect(consumer?.config.maxAckPending == 1_000_000)
    }

    @Test func `keeps the time after which its entries are delivered again, whatever others want`() async throws {
        let server = try await NatsServer()
        var first = try server.run()
        first.ackWait = .seconds(3)
        #expect(try await first.open() == .seconds(3))
        let second = try server.run()
        #expect(try await second.open() == .seconds(3))
        let consumer = try await second.jetStream.info(ofConsumer: "workers", of: "winch-test-queue")
        #expect(consumer?.config.ackWait == 3_000_000_000)
    }

    @Test(arguments: ["", "a.b", "a b", "*", "ä", String(repeating: "x", count: 65)])
    func `has a name that can be a part of a stream's`(name: String) async throws {
        let server = try await NatsServer()
        #expect(throws: FleetFault.self) { try server.run(name) }
    }

    @Test func `refuses a stream of another program with its name`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        try await run.jetStream.create(
            StreamSettings("winch-test-queue", subjects: ["orders"], description: "orders of the shop"))
        await #expect {
            try await run.open()
        } throws: { error in
            guard case .foreign("the stream winch-test-queue", let reason) = error as? FleetFault else { return false }
            return reason.contains("orders of the shop")
        }
    }

    @Test func `refuses a stream of another program with its subject`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        try await run.jetStream.create(StreamSettings("all", subjects: ["winch.>"], description: "everything"))
        await #expect {
            try await run.open()
        } throws: { error in
            guard case .foreign = error as? FleetFault else { return false }
            return true
        }
    }

    @Test func `refuses a stream of another version`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        try await run.jetStream.create(
            StreamSettings(
                "winch-test-queue", subjects: ["winch.test.queue"], description: "winch fleet, format 2: queue"))
        await #expect(throws: FleetFault.otherFormat("the stream winch-test-queue", format: "2")) {
            try await run.open()
        }
    }

    @Test func `keeps values in its buckets, and replaces only the revision that was read`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        try await run.open()
        #expect(try await run.state.get("x")?.value == nil)
        #expect(try await run.state.replace("x", revision: nil, by: [1]) != nil)
        #expect(try await run.state.replace("x", revision: nil, by: [2]) == nil)
        let entry = try #require(try await run.state.get("x"))
        #expect(entry.value == [1])
        #expect(try await run.state.replace("x", revision: entry.revision, by: [3]) != nil)
        #expect(try await run.state.replace("x", revision: entry.revision, by: [4]) == nil)
        #expect(try await run.state.keys() == ["x"])
        try await run.state.remove("x")
        #expect(try await run.state.get("x")?.value == nil)
    }

    @Test func `stores a value again that was removed, once`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        try await run.open()
        #expect(try await run.state.replace("x", revision: nil, by: [1]) != nil)
        try await run.state.remove("x")
        let revision = try #require(try await run.state.replace("x", revision: nil, by: [2]))
        let entry = try #require(try await run.state.get("x"))
        #expect(entry.value == [2])
        #expect(entry.revision == revision)
        #expect(try await run.state.replace("x", revision: nil, by: [3]) == nil)
    }
}

extension JetStream {
    func create(_ settings: StreamSettings) async throws {
        let _: StreamInfo = try await ask("STREAM.CREATE." + settings.name, settings)
    }
}
