import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `After a wake-up of the machine` {
    /// 1 and 2 moving at 500 of 1000, 3 waiting for the response.
    private var run: QueueRun {
        var run = QueueRun { $0.mode = .simple }
        run.add(3, settings: .sample(maxTries: 2))
        for number in 1...2 {
            run.open(number, of: 1000)
            run.move(number, to: 500)
        }
        run.report(3, .requested)
        return run
    }

    private var stops: [QueueAction] {
        [2, 3].map { .close(ConnectionID(transfer: TransferID($0), number: 1), discarding: false) }
    }

    @Test func `a transfer that receives nothing for a few seconds resumes over a new connection and loses no try`() {
        var run = run
        run.apply(.woke)
        run.wait(.seconds(4))
        run.move(1, to: 600)
        expectEqual(run.running, [1, 2, 3])
        run.wait(.seconds(1))
        expectEqual(run.actions, stops)
        expectEqual(run.queue.progress.completed, 1100)
        run.report(2, .stopped(kept: .sample(500, of: 1000)))
        expectEqual(run.request?.resume?.have, ByteCount(500))
        run.report(3, .stopped(kept: nil))
        expectEqual(run.started, [3])
        expectEqual([2, 3].map { run.queue[TransferID($0)]?.history.tries }, [1, 1])
        run.pass(.seconds(20))
        expectEqual(run.running, [1, 2, 3])
    }

    @Test func `a long suspension of the process counts as a sleep`() {
        for (span, isLong) in [(16.0, true), (14, false)] {
            var run = run
            run.wait(.seconds(span))
            run.wait(.seconds(4))
            run.move(1, to: 600)
            run.wait(.seconds(1))
            expect(run.actions == (isLong ? stops : []))
        }
    }

    @Test func `a transfer that would lose its progress, is being hashed or is slow by its limit is not restarted`() {
        var limited = TransferSettings()
        limited.rateLimit = ByteRate(perSecond: 1)
        let cases: [(spec: TransferSpec, before: [TransportEvent], after: [TransportEvent])] = [
            (.sample(), [.opening(of: nil), .moving(to: 500)], []),
            (.sample(direction: .up), [.sent(ByteCount(5), of: ByteCount(10))], []),
            (.sample(), [], [.verified(ByteCount(300), of: ByteCount(1000))]),
            (.sample(settings: limited), [.opening(of: 1 << 20), .moving(to: 1 << 18)], []),
        ]
        for (spec, before, after) in cases {
            var run = QueueRun()
            run.add(spec)
            for event in before { run.report(1, event) }
            run.apply(.woke)
            for event in after { run.report(1, event) }
            run.wait(.seconds(5))
            expect(!run.actions.contains { if case .close = $0 { true } else { false } }, "\(spec) \(before)")
        }
    }
}
