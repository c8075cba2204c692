import FaultServer
import Foundation
import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

/// `make fleet-torture` has more entries and kills.
@Suite struct `A fleet whose workers and server are killed` {
    private static let workers = 3
    /// Transfers of a worker at a time.
    private static let jobs = 4
    /// 4 KiB.
    private static let size: Int64 = 4 << 10

    @Test func `settles every entry once, and loses none`() async throws {
        let (count, kills) = (Runs.count(of: "ENTRIES") ?? 240, Runs.count(of: "FLEET_KILLS") ?? 5)
        let seed = Runs.firstSeed()
        try await FaultServer.serving { site in
            var random = SplitMix64(seed: seed)
            let folder = try TemporaryFolder()
            let server = try await NatsServer()
            var run = try server.run()
            run.ackWait = .seconds(2)
            try await run.open()
            try await server.submit(
                (1...count).map { "\(site.origin)/f/\($0)?size=\(Self.size)&latency=0.02\n" }.joined(), to: run)
            func start(_ number: Int, _ options: String...) throws -> Child {
                try Child(
                    Product.path("winch-fleet"),
                    [
                        "work", "--server", server.choice.servers, "--run", "test", "-d", folder.path + "/w\(number)",
                        "-j", "\(Self.jobs)", "--ack-wait", "2",
                    ] + options)
            }
            var workers = try (0..<Self.workers).map { try start($0) }
            // Each at a random moment in its own part of the run; one in four is the server's.
            let part = max(1, count * 5 / 6 / max(1, kills))
            for number in 0..<kills {
                let share = part * number + Int.random(in: 1...part, using: &random)
                try await expect(
                    becomesTrue { site.requestCount >= share }, "\(site.requestCount) of \(share) requests")
                let pause = Duration.milliseconds(Int.random(in: 0...200, using: &random))
                if number % 4 == 2 {
                    try await server.kill()
                    try await Task.sleep(for: pause)
                    try await server.startAgain()
                } else {
                    let index = Int.random(in: workers.indices, using: &random)
                    workers[index].signal(SIGKILL)
                    _ = try await workers[index].end(within: 60)
                    try await Task.sleep(for: pause)
                    workers[index] = try start(index)
                }
            }
            try await expectEqual(start(Self.workers, "--until-done").end(within: 300), 0)
            let fresh = try server.run()
            try await expect(becomesTrue { try await fresh.status().done == UInt64(count) })
            for worker in workers {
                worker.signal(SIGTERM)
                _ = try await worker.end(within: 60)
            }
            let status = try await fresh.status()
            expectEqual(status.failed, 0)
            try await expect(becomesTrue { try await fresh.left() == 0 })
            try await expectEqual(Set(entries(of: fresh)).count, count, "seed \(seed)")
            var names: Set<String> = []
            for place in (0...Self.workers).map({ "\(folder.path)/w\($0)" }) {
                for name in TemporaryFolder.names(in: place) where !name.hasSuffix(".part") {
                    names.insert(name)
                    let expected = Data(SeededContent(name: name).bytes(in: 0..<Self.size))
                    expectEqual(FileManager.default.contents(atPath: "\(place)/\(name)"), expected, "\(name)")
                }
            }
            expectEqual(names.count, count, "seed \(seed)")
            // Work is repeated for the transfers of those that were killed alone, and for what was not told to the server.
            expectAtMost(site.requestCount, count + kills * Self.workers * Self.jobs)
        }
    }

    /// The entries that have a result, one for each result.
    private func entries(of run: FleetRun) async throws -> [UInt64] {
        let reader = try await StreamReader(run.done, from: 1, at: run.jetStream)
        var entries: [UInt64] = []
        while true {
            let records = try await reader.next(atMost: 500).map {
                try JSONDecoder().decode(ResultRecord.self, from: Data($0.message.body))
            }
            if records.isEmpty { return entries }
            entries += records.map(\.entry)
        }
    }
}
