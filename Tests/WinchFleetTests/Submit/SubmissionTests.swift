import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `Submitting a list` {
    private let list = (1...500).map { "http://h/\($0)\n" }.joined()

    private func queued(_ run: FleetRun) async throws -> UInt64? {
        try await run.jetStream.info(ofStream: run.queue)?.state.messages
    }

    @Test func `adds each entry once, however often it is submitted`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        try await run.open()
        try await expectEqual(server.submit(list + list, to: run), .init(added: 500, duplicates: 500))
        try await expectEqual(server.submit(list + "http://h/new\n", to: run), .init(added: 1, duplicates: 500))
        try await expectEqual(queued(run), 501)
    }

    @Test func `keeps runs apart`() async throws {
        let server = try await NatsServer()
        let (one, other) = (try server.run("one"), try server.run("other"))
        for run in [one, other] { try await run.open() }
        try await server.submit(list, to: one)
        try await expectEqual(queued(other), 0)
        try await expectEqual(server.submit(list, to: other).added, 500)
    }

    @Test func `goes on when the server was killed and is back`() async throws {
        let server = try await NatsServer()
        let run = try server.run()
        try await run.open()
        let submission = Submission(to: run)
        let list = (1...20_000).map { "http://h/\($0)\n" }.joined()
        async let submitting: Void = {
            var reader = FleetEntryReader(Array(list.utf8))
            try await submission.submit(&reader)
        }()
        try await expect(becomesTrue { submission.count.added > 100 })
        try await server.kill()
        try await server.startAgain()
        try await submitting
        expectEqual(submission.count.added + submission.count.duplicates, 20_000)
        // A question may get no answer while the connection is new.
        try await expect(becomesTrue { (try? await queued(run)) == 20_000 })
    }
}
