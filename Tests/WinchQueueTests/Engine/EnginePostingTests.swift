import TestSupport
import Testing
import WinchModel

@testable import WinchQueue

@Suite struct `Updates of the engine` {
    private static func report(_ event: TransportEvent) -> TransportReport {
        TransportReport(.sample(1), at: Moment(seconds: 1), event: event)
    }

    @Test(.timeLimit(.minutes(5))) func `come soon after a report, without another event`() async {
        let stage = Stage { call, _ in call == "open" ? [.requested] : [] }
        stage.add(1)
        for await update in stage.updates where update.rows[TransferID(1)]?.phase == .requested { break }
        _ = await stage.quit()
    }

    @Test func `come at most every 10 ms while there are only reports, with all that changed`() async throws {
        let stage = Stage(clock: .running)
        stage.add(1)
        await stage.caughtUp()
        stage.inbox.report([Self.report(.requested), Self.report(.opening(at: 0, of: 1_000))])
        for position in 1...60 {
            stage.inbox.report([Self.report(.moving(to: Int64(position)))])
            try? await Task.sleep(for: .milliseconds(1))
        }
        let updates = await stage.caughtUp()
        // By the engine's own clock. The command and ticks, ten a second, are answered at once, and the timer of what
        // was held back may ring after a tick.
        let first = try require(updates.first)
        let last = try require(updates.last)
        let span = last.at - first.at
        let most = Int(span / Duration.milliseconds(10)) + 2 * Int(span / Duration.milliseconds(100)) + 4
        expectAtMost(updates.count, most)
        expectEqual(updates.reversed().compactMap { $0.rows[TransferID(1)] }.first?.have, ByteCount(bytes: 60))
        expectEqual(updates.flatMap(\.events).reduce(0) { $0 + $1.completed }, 60)
        _ = await stage.quit()
    }

    @Test func `come at once when all is settled`() async {
        let stage = Stage { call, _ in
            call == "open" ? [.finished(.saved(path: "f"), size: ByteCount(bytes: 3))] : []
        }
        stage.add(1)
        // The clock stands still: an update that is held back would come with the timer only, after 10 ms.
        var phases: [TransferPhase] = []
        for await update in stage.updates {
            if let phase = update.rows[TransferID(1)]?.phase { phases.append(phase) }
            if phases.last?.isSettled == true { break }
        }
        expectEqual(phases.last, .finished(.saved(path: "f")))
        _ = await stage.quit()
    }
}
