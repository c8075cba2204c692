import Synchronization
import TestSupport
import Testing
import WinchModel

@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `The loop of the connections` {
    /// Without the call the second turn would come after an hour.
    @Test(arguments: [
        LoopExecutor.Pause(longest: 3_600_000), LoopExecutor.Pause(longest: 3_600_000, gathering: 3_600_000),
    ])
    func `takes a turn soon after a call, however long it would wait`(pause: LoopExecutor.Pause) async throws {
        let loop = try require(LoopExecutor())
        let turns = Mutex(0)
        let (signals, signal) = AsyncStream.makeStream(of: Int.self)
        expect(
            loop.run(in: ThreadGroup()) {
                signal.yield(
                    turns.withLock {
                        $0 += 1; return $0
                    })
                return pause
            })
        var last = 0
        for await turn in signals {
            last = turn
            if turn == 20 { break }
            loop.wake()
        }
        expectEqual(last, 20)
        loop.stop()
    }

    @Test func `takes further turns by itself after it has gathered`() async throws {
        let loop = try require(LoopExecutor())
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        expect(
            loop.run(in: ThreadGroup()) {
                signal.yield()
                return LoopExecutor.Pause(longest: 2, gathering: 1)
            })
        var turns = 0
        for await _ in signals {
            turns += 1
            if turns == 5 { break }
        }
        expectEqual(turns, 5)
        loop.stop()
    }
}

@Suite struct `The next multiple of a span` {
    @Test(arguments: [(0, 100), (1, 100), (99, 100), (100, 200), (-1, 0), (-100, 0), (-101, -100)])
    func `is after the instant, and the same for all instants since the last`(instant: Int, next: Int) {
        let instant = Moment(nanoseconds: Int64(instant) * 1_000_000)
        expectEqual(instant.next(multipleOf: .milliseconds(100)), Moment(nanoseconds: Int64(next) * 1_000_000))
    }
}
