import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `A transfer without a network` {
    private static let away = TransferFailure.nameServerDown(host: "a.example")

    @Test func `fails after ten minutes and its remaining tries`() throws {
        var run = QueueRun()
        run.add(1, settings: .sample(maxTries: 3))
        let start = run.now
        for _ in 0..<1000 where run.phase(1) != .failed(Self.away) {
            run.fail(1, Self.away)
            if let wait = run.backoff(1) { run.wait(wait) }
        }
        expectEqual(run.phase(1), .failed(Self.away))
        expect(
            (RetryPolicy.networkGracePeriod...RetryPolicy.networkGracePeriod + .seconds(30)).contains(run.now - start))
    }

    @Test func `restarts its retry budget after an answer`() throws {
        var run = QueueRun()
        run.add(1)
        run.fail(1, Self.away)
        run.wait(try require(run.backoff(1)))
        run.wait(RetryPolicy.networkGracePeriod)
        run.fail(1, .connectionLost("reset"))
        run.wait(try require(run.backoff(1)))
        run.fail(1, Self.away)
        run.wait(try require(run.backoff(1)))
        expectEqual(run.running, [1])
        expectEqual(run.queue[TransferID(1)]?.history.timesWithoutNetwork, 1)
    }
}
