import FaultServer
import Glibc
import Synchronization
import TestSupport
import Testing
import WinchModel

@testable import WinchFleet

@Suite(.serialized) struct `A dashboard over a fleet` {
    /// What a dashboard has been told.
    private final class Screen: Sendable {
        private struct State {
            var copy = QueueCopy()
            var news: FleetBoard.News?
            var notices: [String] = []
            var log: [String] = []
        }

        private let state = Mutex(State())

        func take(_ report: FleetAttachment.Report) {
            state.withLock { state in
                switch report {
                case .news(let news):
                    state.copy.apply(news.update)
                    state.news = news
                    state.log += news.log.map(\.message)
                case .notice(let words): state.notices.append(words)
                case .connection(let words): state.notices.append(words ?? "connected")
                }
            }
        }

        var copy: QueueCopy { state.withLock { $0.copy } }
        var machines: [FleetBoard.Machine] { state.withLock { $0.news?.machines ?? [] } }
        var notices: [String] { state.withLock { $0.notices } }
        var log: [String] { state.withLock { $0.log } }

        func rows(_ condition: (TransferSnapshot) -> Bool) -> [TransferID] {
            let copy = copy
            return copy.order.filter { copy[$0].map(condition) ?? false }
        }
    }

    private func isMoving(_ row: TransferSnapshot) -> Bool { row.phase == .moving }

    private func isFailed(_ row: TransferSnapshot) -> Bool { if case .failed = row.phase { true } else { false } }

    @Test func `shows the machines and what they do, and passes commands on`() async throws {
        try await FaultServer.serving { site in
            let folder = try TemporaryFolder()
            let server = try await NatsServer()
            let run = try server.run()
            try await run.open()
            let slow = (1...6).map { "\(site.origin)/f/slow\($0)?size=9M&rate=30K\n" }.joined()
            let list = "\(site.origin)/f/gone?status=404\n" + slow
            try await server.submit(list, to: run)
            let workers = try ["ash", "beech"].map { name in
                var settings = FleetWorker.Settings(folder: WorkingFolder(folder.path + "/" + name), name: name)
                settings.jobs = 2
                return try FleetWorker(server.choice, run: "test", settings) { _ in }
            }
            async let one = workers[0].work()
            async let other = workers[1].work()
            let screen = Screen()
            let attachment = try FleetAttachment(server.choice, run: "test") { screen.take($0) }
            let following = Task { try await attachment.follow {} }
            try await expect(becomesTrue { screen.machines.map(\.name) == ["ash", "beech"] })
            try await expect(becomesTrue { screen.rows(self.isMoving).count == 4 })
            try await expect(becomesTrue { screen.copy.totals.failed == 1 && screen.rows(self.isFailed).count == 1 })
            try await expect(becomesTrue { screen.copy.totals.count == 7 })

            let row = try require(screen.rows(isMoving).first)
            attachment.send(.watch(row))
            try await expect(becomesTrue { screen.copy.details?.id == row })

            attachment.send(.cancel([row]))
            try await expect(becomesTrue { screen.copy[row] == nil && screen.copy.totals.count == 6 })
            attachment.send(.pauseAll)
            try await expect(becomesTrue { screen.copy.totals.isHeld && screen.rows(self.isMoving).isEmpty })
            attachment.send(.setRateLimit(ByteRate(perSecond: 5000)))
            try await expect(becomesTrue { screen.copy.totals.rateLimit == ByteRate(perSecond: 5000) })
            attachment.send(.retry(screen.rows(isFailed)))
            try await expect(becomesTrue { screen.copy.totals.failed == 0 && screen.rows(self.isFailed).isEmpty })
            attachment.send(.setSlots(9))
            try await expect(becomesTrue { screen.notices.contains { $0.hasPrefix("Not done") } })

            workers.forEach { $0.stop() }
            _ = try await [one, other]
            try await expect(becomesTrue { screen.machines.isEmpty && screen.copy.count == 0 })
            try await expect(becomesTrue { screen.log.contains("ash has left") })
            following.cancel()
            _ = try? await following.value
        }
    }

    @Test func `sees a worker that was killed within five seconds, and goes on after a restart of the server`()
        async throws
    {
        try await FaultServer.serving { site in
            let folder = try TemporaryFolder()
            let server = try await NatsServer()
            let run = try server.run()
            try await run.open()
            try await server.submit("\(site.origin)/f/slow?size=9M&rate=10K\n", to: run)
            let victim = try Child(
                Product.path("winch-fleet"),
                ["work", "--server", server.choice.servers, "--run", "test", "-d", folder.path, "--name", "victim"])
            let screen = Screen()
            let attachment = try FleetAttachment(server.choice, run: "test") { screen.take($0) }
            let following = Task { try await attachment.follow {} }
            try await expect(becomesTrue { screen.rows(self.isMoving).count == 1 })
            try await server.kill()
            try await expect(becomesTrue { screen.notices.contains { $0.contains("lost") } })
            try await server.startAgain()
            try await expect(becomesTrue { screen.notices.contains("connected") })
            let seen = screen.machines.first?.lastSeen
            try await expect(becomesTrue { screen.machines.first?.lastSeen != seen })
            expectEqual(screen.machines.map(\.isLost), [false])
            victim.signal(SIGKILL)
            try await expect(becomesTrue { screen.machines.map(\.isLost) == [true] })
            try await expect(becomesTrue { screen.log.contains { $0.contains("victim has vanished") } })
            following.cancel()
            _ = try? await following.value
        }
    }

    @Test func `needs a run that was made`() async throws {
        let server = try await NatsServer()
        let attachment = try FleetAttachment(server.choice, run: "other") { _ in }
        await #expect(throws: FleetFault.self) { try await attachment.follow {} }
    }

    @Test func `needs a terminal, and names what is for programs`() async throws {
        let folder = try TemporaryFolder()
        let child = try Child(
            Product.path("winch-fleet"), ["attach", "--server", "nats://127.0.0.1:1"],
            streams: .together(folder.path + "/out"))
        try await expectEqual(child.end(within: 60), 64)
        let output = String(decoding: try folder.bytes("out"), as: UTF8.self)
        expect(output.contains("needs a terminal"))
        expect(output.contains("winch fleet status --json"))
    }
}
