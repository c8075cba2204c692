import FaultServer
import Foundation
import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `Workers that share a host` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func worker(_ server: NatsServer, _ number: Int, gate: Int, jobs: Int = 4) throws -> FleetWorker {
        var settings = FleetWorker.Settings(folder: WorkingFolder(folder.path + "/w\(number)"), name: "w\(number)")
        (settings.jobs, settings.gate, settings.perHost) = (jobs, gate, 16)
        (settings.endsWhenDone, settings.ackWait) = (true, .seconds(2))
        return try FleetWorker(server.choice, run: "test", settings) { _ in }
    }

    private func work(_ workers: [FleetWorker]) async throws -> Int {
        try await withThrowingTaskGroup { group in
            for worker in workers { group.addTask { try await worker.work().done } }
            return try await group.reduce(0, +)
        }
    }

    @Test(arguments: [2, 5]) func `meet few refusals`(limit: Int) async throws {
        try await FaultServer.serving { site in
            let server = try await NatsServer()
            let run = try server.run()
            try await run.open()
            let options = "size=4K&rate=40K&limit=\(limit)&limitcode=429&limitkey=all"
            func list(_ numbers: Range<Int>) -> String {
                numbers.map { "\(site.origin)/f/\($0)?\(options)\n" }.joined()
            }
            var count = 60
            try await server.submit(list(0..<count), to: run)
            let workers = try (1...6).map { try worker(server, $0, gate: 32) }
            async let done = work(workers)
            // Until the host refuses, the workers have more to do.
            while !site.requests.contains(where: { $0.status == 429 }), count < 3000 {
                if count - site.requests.count < 50 {
                    try await server.submit(list(count..<count + 10), to: run)
                    count += 10
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            try await expectEqual(done, count)
            let refusals = site.requests.count { $0.status == 429 }
            // The first ones teach the limit, to all workers. The figure is that of the simulated gate; here machines may be slow.
            expectLess(refusals, than: 30)
            // Without refusals nothing would be tested.
            expectMore(refusals, than: 0)
        }
    }

    @Test func `have no more connections together than the gate`() async throws {
        try await FaultServer.serving { site in
            let server = try await NatsServer()
            let run = try server.run()
            try await run.open()
            // One connection more than the gate would be refused.
            let list = (1...60).map { "\(site.origin)/f/\($0)?size=4K&rate=40K&limit=3&limitkey=all\n" }.joined()
            try await server.submit(list, to: run)
            let workers = try (1...5).map { try worker(server, $0, gate: 3) }
            try await expectEqual(work(workers), 60)
            expectEqual(site.requests.count { $0.status == 503 }, 0)
            // All have given back what they held.
            let entry = try await run.gates.get(
                GateBucket.key(ofHost: String(site.origin.dropFirst("http://".count))))
            let gate = try require(entry.flatMap { try? JSONDecoder().decode(HostGate.self, from: Data($0.value)) })
            expectEqual(gate.leases.held, 0)
        }
    }

    @Test func `take over the connections of one that was killed`() async throws {
        try await FaultServer.serving { site in
            let server = try await NatsServer()
            var run = try server.run()
            run.ackWait = .seconds(2)
            try await run.open()
            try await server.submit("\(site.origin)/f/long?size=4K&stallfirst=1K\n", to: run)
            let victim = try Child(
                Product.path("winch-fleet"),
                [
                    "work", "--server", server.choice.servers, "--run", "test", "-d", folder.path + "/v", "--gate", "1",
                    "--ack-wait", "2",
                ])
            try await expect(becomesTrue { site.requests.count == 1 })
            victim.signal(SIGKILL)
            try await expectEqual(work([worker(server, 1, gate: 1)]), 1)
        }
    }

    @Test func `divide the limit of their run`() async throws {
        try await FaultServer.serving { site in
            let server = try await NatsServer()
            let run = try server.run()
            try await run.open()
            try await run.change { $0.limit = 60_000 }
            let list = (1...4).map { "\(site.origin)/f/\($0)?size=60K\n" }.joined()
            try await server.submit(list, to: run)
            let workers = try (1...2).map { try worker(server, $0, gate: 8, jobs: 2) }
            let start = ContinuousClock.now
            try await expectEqual(work(workers), 4)
            // Buffers may let a second's worth pass. No upper bound: the machine may be busy.
            expectMore(ContinuousClock.now - start, than: .seconds(2))
        }
    }

    @Test(arguments: [("http://h:80", "host.http=3a=2f=2fh=3a80"), ("", "host."), ("ä", "host.=c3=a4")])
    func `have keys that a bucket takes`(host: String, key: String) {
        expectEqual(GateBucket.key(ofHost: host), key)
    }
}
