import TestSupport
import Testing

@testable import WinchFleet

@Suite struct `Failed entries of a run` {
    private let server: NatsServer
    private let run: FleetRun

    init() async throws {
        server = try await NatsServer()
        run = try server.run()
        try await run.open()
    }

    private func fail(
        _ number: UInt64, _ text: String, wasSubmitted: Bool = true, reason: String = "404 not found"
    ) async throws {
        let record = FailureRecord(
            entry: number, id: "id\(number)", text: text, isBase64: false, reason: reason, wasSubmitted: wasSubmitted,
            deliveries: 1, worker: "m1")
        _ = try await run.jetStream.store(run.failedSubject, id: "\(number)", KeyValueBucket.encode(record))
    }

    private func counts() async throws -> [UInt64] {
        let status = try await run.status()
        return [status.failed, status.left]
    }

    @Test func `are read in their order`() async throws {
        for number in 1...1200 as ClosedRange<UInt64> { try await fail(number, "http://h/\(number)\n") }
        var numbers: [UInt64] = []
        try await run.readFailures { (failures) throws(FleetFault) in numbers += failures.map(\.record.entry) }
        expectEqual(numbers, Array(1...1200))
        try await run.readFailures(from: 1199) { (failures) throws(FleetFault) in
            expectEqual(failures.map(\.sequence), [1199, 1200])
        }
    }

    @Test func `go back into the queue, all of them`() async throws {
        for number in 1...300 as ClosedRange<UInt64> { try await fail(number, "http://h/\(number)\n") }
        try await expectEqual(run.retry(), .init(again: 300))
        try await expectEqual(counts(), [0, 300])
        try await expectEqual(run.retry(), .init(again: 0))
    }

    @Test func `go back into the queue although they were submitted a short while ago`() async throws {
        try await server.submit("http://h/1\n", to: run)
        try await expectEqual(run.cancel(), 1)
        try await fail(1, "http://h/1\n")
        try await expectEqual(run.retry().again, 1)
        try await expectEqual(counts(), [0, 1])
    }

    @Test(
        arguments: [
            (["2"], 1, []), (["/dir/"], 2, []), (["/dir/", "3"], 2, []), (["http"], 3, []), (["9"], 0, ["9"]),
            (["1", "nothing", "out="], 1, ["nothing", "out="]),
        ] as [([String], Int, [String])])
    func `are chosen by their numbers and parts of their URLs`(
        words: [String], again: Int, unknown: [String]
    ) async throws {
        try await fail(1, "http://h/a\n out=3\n")
        try await fail(2, "http://h/dir/b\n")
        try await fail(3, "http://other/c\thttp://h/dir/c\n")
        try await expectEqual(run.retry(words), .init(again: again, unknown: unknown))
        try await expectEqual(counts(), [UInt64(3 - again), UInt64(again)])
    }

    @Test func `stay where they are when no worker could use them`() async throws {
        try await fail(1, "by hand", wasSubmitted: true)
        try await fail(2, "http://h/x\n", wasSubmitted: false)
        try await fail(3, "http://h/y\n")
        try await expectEqual(run.retry(), .init(again: 1, unusable: 2))
        try await expectEqual(counts(), [2, 1])
    }

    @Test func `are in the queue once, when a retry was interrupted between its two steps`() async throws {
        try await fail(1, "http://h/1\n")
        _ = try await run.jetStream.store(run.queueSubject, id: "id1.1", Array("http://h/1\n".utf8))
        try await expectEqual(run.retry().again, 1)
        try await expectEqual(counts(), [0, 1])
    }

    @Test func `are listed and tried again by commands, which say what they have done`() async throws {
        try await fail(4, "http://me:secret@h/a?token=secret\n")
        try await fail(6, "http://me:secret@h:99999/a\n")
        let listed = try await command(["status", "--failed"])
        expect(listed.output.contains("404 not found (m1)"))
        expect(!listed.output.contains("secret"))
        let again = try await command(["retry", "4", "5"])
        expectEqual(again.code, 1)
        expect(again.output.contains("1 in the queue again"))
        expect(again.output.contains("no failed entry has the number or the text '5'"))
        try await expectEqual(command(["limit", "2M"]).output, "run test: limit 2.0 MiB/s\n")
        try await expectEqual(run.control().limit, 2 * 1024 * 1024)
        try await expect(command(["status"]).output.contains("limit 2.0 MiB/s"))
        try await expectEqual(command(["limit", "none"]).output, "run test: limit none\n")
        try await expectEqual(command(["pause"]).output, "run test: paused\n")
        try await expectEqual(command(["resume"]).output, "run test: not paused\n")
        try await expectEqual(command(["stop"]).output, "run test: its workers end; the entries stay in the queue\n")
        try await expectNil(run.control().limit)
        let bad = try await command(["limit", "fast"])
        expectEqual(bad.code, 64)
        expect(bad.output.contains("'fast' is not a rate"))
    }

    @Test func `and other commands need a run that was made`() async throws {
        for name in ["pause", "resume", "retry", "cancel", "stop", "status"] {
            let result = try await command([name], run: "other")
            expectEqual(result.code, 2, "\(name)")
            expect(result.output.contains("the server has no run 'other'"), "\(name)")
        }
    }

    private func command(_ words: [String], run: String = "test") async throws -> (code: Int32?, output: String) {
        let folder = try TemporaryFolder()
        let child = try Child(
            Product.path("winch-fleet"), words + ["--server", server.choice.servers, "--run", run],
            streams: .together(folder.path + "/out"))
        let code = try await child.end(within: 60)
        return (code, String(decoding: try folder.bytes("out"), as: UTF8.self))
    }
}
