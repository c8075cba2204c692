import FaultServer
import Foundation
import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `A fleet whose workers and server are killed` {
    @Test func `settles every entry once, and loses none`() async throws {
        try await FaultServer.serving { site in
            let folder = try TemporaryFolder()
            let server = try await NatsServer()
            var run = try server.run()
            run.ackWait = .seconds(2)
            try await run.open()
            let count = 240
            try await server.submit(
                (1...count).map { "\(site.origin)/f/\($0)?size=4K&latency=0.02\n" }.joined(), to: run)
            func start(_ number: Int) throws -> Child {
                try Child(
                    Product.path("winch-fleet"),
                    [
                        "work", "--server", server.choice.servers, "--run", "test", "-d", folder.path + "/w\(number)",
                        "--ack-wait", "2",
                    ])
            }
            var workers = try (0..<3).map { try start($0) }
            // Each at a moment of its own in the course of the run.
            for (index, share) in [10, 60, 100, 150, 200].enumerated() {
                try await expect(
                    becomesTrue { site.requests.count >= share },
                    "\(site.requests.count) of \(share) requests")
                if index == 2 {
                    try await server.kill()
                    try await server.startAgain()
                } else {
                    workers[index % 3].signal(SIGKILL)
                    _ = try await workers[index % 3].end(within: 60)
                    workers[index % 3] = try start(index % 3)
                }
            }
            var settings = FleetWorker.Settings(folder: WorkingFolder(folder.path + "/last"), name: "last")
            settings.ackWait = .seconds(2)
            let last = try FleetWorker(server.choice, run: "test", settings) { _ in }
            async let working = last.work()
            let fresh = try server.run()
            try await expect(becomesTrue { try await fresh.status().done == UInt64(count) })
            last.stop()
            _ = try await working
            for worker in workers {
                worker.signal(SIGTERM)
                _ = try await worker.end(within: 60)
            }
            let status = try await fresh.status()
            expectEqual(status.failed, 0)
            try await expect(becomesTrue { try await fresh.left() == 0 })
            var names: Set<String> = []
            for number in 0..<3 {
                names.formUnion(
                    TemporaryFolder.names(in: folder.path + "/w\(number)").filter { !$0.hasSuffix(".part") })
            }
            names.formUnion(TemporaryFolder.names(in: folder.path + "/last").filter { !$0.hasSuffix(".part") })
            expectEqual(names.count, count)
            // Work is repeated for the transfers of those that were killed alone, and for what was not told to the server.
            expectAtMost(site.requests.count, count + 5 * 3 * 4)
        }
    }
}
