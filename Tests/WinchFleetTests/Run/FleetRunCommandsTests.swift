import FaultServer
import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite(.serialized) struct `Commands to a run` {
    @Test func `reach its workers, and the status tells`() async throws {
        try await FaultServer.serving { site in
            let folder = try TemporaryFolder()
            let server = try await NatsServer()
            let run = try server.run()
            await #expect(throws: FleetFault.self) { try await run.status() }
            try await run.open()
            let list = (1...30).map { "\(site.origin)/f/\($0)?size=40K&rate=10K\n" }.joined()
            try await server.submit(list, to: run)
            let settings = FleetWorker.Settings(folder: WorkingFolder(folder.path), name: "m1")
            let worker = try FleetWorker(server.choice, run: "test", settings) { _ in }
            async let working = worker.work()
            try await expect(becomesTrue { try await run.status().workers.first?.working ?? 0 > 0 })
            try await expectEqual(run.status().workers.map(\.name), ["m1"])
            try await run.change { $0.isPaused = true }
            try await expect(becomesTrue { try await run.status().workers.first?.working == 0 })
            try await expect(run.status().isPaused)
            try await run.change { $0.isPaused = false }
            try await expect(becomesTrue { try await run.status().workers.first?.working ?? 0 > 0 })
            try await expectMore(run.cancel(), than: 0)
            try await expect(becomesTrue { try await run.status().workers.first?.held == 0 })
            try await expectEqual(run.status().left, 0)
            try await run.change { $0.stops += 1 }
            _ = try await working
            try await expectEqual(run.status().workers, [])
        }
    }
}

@Suite struct `winch fleet` {
    @Test func `runs the program beside winch`() async throws {
        let folder = try TemporaryFolder()
        let child = try Child(
            Product.path("winch"), ["fleet", "status", "--server", "nats://127.0.0.1:1"],
            streams: .together(folder.path + "/out"))
        try await expectEqual(child.end(within: 60), 69)
        expect(String(decoding: try folder.bytes("out"), as: UTF8.self).contains("no NATS server answers"))
    }

    @Test func `says how to get the program when it is missing`() async throws {
        let folder = try TemporaryFolder()
        let copy = try Child("/bin/cp", [Product.path("winch"), folder.path + "/winch"])
        try await expectEqual(copy.end(within: 60), 0)
        let child = try Child(
            folder.path + "/winch", ["fleet", "status"], environment: ["PATH": "/nowhere"],
            streams: .together(folder.path + "/out"))
        try await expectEqual(child.end(within: 60), 69)
        expect(String(decoding: try folder.bytes("out"), as: UTF8.self).contains("make fleet install"))
    }
}
