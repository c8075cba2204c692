import FaultServer
import Foundation
import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite struct `Workers of a fleet` {
    private let folder: TemporaryFolder
    private let server: NatsServer
    private let run: FleetRun

    init() async throws {
        folder = try TemporaryFolder()
        server = try await NatsServer()
        run = try server.run()
    }

    private func worker(
        _ subfolder: String = "", jobs: Int = 4, untilDone: Bool = true,
        ackWait: Duration = .seconds(2)
    ) throws -> FleetWorker {
        var settings = FleetWorker.Settings(folder: WorkingFolder(folder.path + "/" + subfolder), name: "m")
        (settings.jobs, settings.endsWhenDone, settings.ackWait) = (jobs, untilDone, ackWait)
        return try FleetWorker(server.choice, run: "test", settings) { _ in }
    }

    private func list(_ site: FaultServer, _ count: Int, _ options: String = "size=4K") -> String {
        (1...count).map { "\(site.origin)/f/\($0).bin?\(options)\n out=\($0).bin\n" }.joined()
    }

    private func results() async throws -> (done: UInt64, failed: UInt64, left: UInt64) {
        var counts: [UInt64] = []
        for stream in [run.done, run.failed] {
            counts.append(try await run.jetStream.info(ofStream: stream)?.state.messages ?? 0)
        }
        return (counts[0], counts[1], try await run.left())
    }

    @Test func `keep what fails, with its reason`() async throws {
        try await FaultServer.serving { site in
            try await run.open()
            let id = "00000000000000000000000000000001"
            _ = try await run.jetStream.store(run.queueSubject, id: id, headers: [], Array("by hand".utf8))
            try await server.submit("\(site.origin)/f/x?status=404\n" + list(site, 3), to: run)
            let summary = try await worker().work()
            expectEqual(summary.failed, 2)
            expectEqual(summary.done, 3)
            let counts = try await results()
            expect(counts == (3, 2, 0))
        }
    }

    @Test func `find a complete file, when an entry is delivered again`() async throws {
        try await FaultServer.serving { site in
            try await run.open()
            try await server.submit(list(site, 5), to: run)
            _ = try await worker().work()
            // As if the acknowledgements had been lost: the same entries again, under other IDs.
            for number in 1...5 {
                let text = "\(site.origin)/f/\(number).bin?size=4K\n out=\(number).bin\n"
                _ = try await run.jetStream.store(run.queueSubject, id: "again\(number)", Array(text.utf8))
            }
            try await expectEqual(worker().work().done, 5)
            expectEqual(folder.names, (1...5).map { "\($0).bin" })
        }
    }

    @Test func `do not download again what is settled, although its acknowledgement was lost`() async throws {
        try await FaultServer.serving { site in
            var run = self.run
            run.ackWait = .seconds(1)
            try await run.open()
            try await server.submit(list(site, 3), to: run)
            // A worker takes an entry, stores its result, and is gone before it acknowledges it.
            let link = try NatsLink(server.choice, name: "gone")
            let (messages, input) = AsyncStream.makeStream(of: NatsMessage.self)
            let inbox = link.newInbox()
            let subscription = try link.subscribe(inbox) { input.yield($0) }
            defer { subscription.end() }
            link.publish(
                "$JS.API.CONSUMER.MSG.NEXT.\(run.queue).\(FleetRun.workersConsumer)", reply: inbox,
                Array("{\"batch\":1}".utf8))
            var iterator = messages.makeAsyncIterator()
            let taken = try await require(iterator.next().flatMap { Delivery($0) })
            let record = ResultRecord(
                entry: taken.sequence, id: taken.id, path: "1.bin", bytes: 4096, worker: "gone", wasComplete: false)
            _ = try await run.jetStream.store(
                run.doneSubject, id: "\(taken.sequence)", KeyValueBucket.encode(record))
            let summary = try await worker(ackWait: .seconds(1)).work()
            expectEqual(summary.done, 2)
            expectEqual(site.requests.map(\.path).sorted(), ["/f/2.bin", "/f/3.bin"])
            let counts = try await results()
            expect(counts == (3, 0, 0))
        }
    }

    @Test func `give their entries back at once when they are stopped`() async throws {
        try await FaultServer.serving { site in
            var run = self.run
            // Until a claim ends these entries would wait longer than the test may take.
            run.ackWait = .seconds(3600)
            try await run.open()
            try await server.submit(list(site, 4, "size=4K&stallfirst=1K"), to: run)
            let first = try worker(untilDone: false)
            async let working = first.work()
            try await expect(becomesTrue { site.requests.count == 4 })
            first.stop()
            _ = try await working
            try await expectEqual(worker().work().done, 4)
        }
    }

    @Test func `go on when the server has lost their consumer`() async throws {
        try await FaultServer.serving { site in
            var run = self.run
            run.ackWait = .seconds(7)
            try await run.open()
            let one = try worker(untilDone: false, ackWait: .seconds(20))
            async let working = one.work()
            try await server.submit(list(site, 1), to: run)
            try await expect(becomesTrue { try await results() == (1, 0, 0) })
            let _: JetStream.Nothing = try await run.jetStream.ask(
                "CONSUMER.DELETE.\(run.queue).\(FleetRun.workersConsumer)")
            try await server.submit("\(site.origin)/f/other?size=4K\n", to: run)
            try await expect(becomesTrue { try await results() == (2, 0, 0) })
            // Workers that live renew their claims in time for what it was at their start.
            let consumer = try await run.jetStream.info(ofConsumer: FleetRun.workersConsumer, of: run.queue)
            expectEqual(consumer?.config.ackWait, 7_000_000_000)
            one.stop()
            _ = try await working
        }
    }

    @Test func `put their files into a folder whose name is no UTF-8`() async throws {
        try await FaultServer.serving { site in
            try await run.open()
            try await server.submit(list(site, 1), to: run)
            let script = """
                name=$(printf 'caf\\351') && "$1" work --server "$2" --run test --until-done -d "$3/$name" &&
                    test -f "$3/$name/1.bin"
                """
            let child = try Child(
                "/bin/sh",
                ["-c", script, "sh", Product.path("winch-fleet"), server.choice.servers, folder.path])
            try await expectEqual(child.end(within: 60), 0)
        }
    }

    @Test func `keep a slow entry for as long as they live`() async throws {
        try await FaultServer.serving { site in
            var run = self.run
            run.ackWait = .seconds(1)
            try await run.open()
            try await server.submit("\(site.origin)/f/slow?size=30K&rate=10K\n", to: run)
            // Their own would let the claim end before its first renewal.
            let first = try worker("one", ackWait: .seconds(20))
            let second = try worker("other", ackWait: .seconds(20))
            async let one = first.work()
            async let other = second.work()
            let done = try await [one.done, other.done]
            expectEqual(done.sorted(), [0, 1])
            expectEqual(site.requests(for: "slow").count, 1)
        }
    }
}
