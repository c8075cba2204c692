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
        #expect(run.running == [1, 2, 3])
        run.wait(.seconds(1))
        #expect(run.actions == stops)
        #expect(run.queue.progress.completed == 1100)
        run.report(2, .stopped(kept: .sample(500, of: 1000)))
        guard case .open(let request)? = run.actions.first else {
            Issue.record("no start: \(run.actions)")
            return
        }
        #expect(request.resume?.have == ByteCount(500))
        run.report(3, .stopped(kept: nil))
        #expect(run.started == [3])
        #expect([2, 3].map { run.queue[TransferID($0)]?.history.tries } == [1, 1])
        run.pass(.seconds(20))
        #expect(run.running == [1, 2, 3])
    }

    @Test func `a long suspension of the process counts as a sleep`() {
        for (span, isLong) in [(16.0, true), (14, false)] {
            var run = run
            run.wait(.seconds(span))
            run.wait(.seconds(4))
            run.move(1, to: 600)
            run.wait(.seconds(1))
            #expect(run.actions == (isLong ? stops : []))
        }
    }

    @Test func `a transfer that cannot be resumed is left to the stall timeout`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: nil)
        run.move(1, to: 500)
        run.apply(.woke)
        run.wait(.seconds(5))
        #expect(run.actions.isEmpty)
    }

    @Test func `a file that is being hashed is not restarted`() {
        var run = QueueRun()
        run.add(1)
        run.apply(.woke)
        run.report(1, .verified(ByteCount(300), of: ByteCount(1000)))
        run.wait(.seconds(5))
        #expect(run.actions.isEmpty)
    }

    @Test func `an upload, which would lose its progress, is not restarted`() {
        var run = QueueRun()
        run.add(.sample(direction: .up))
        run.report(1, .sent(ByteCount(5), of: ByteCount(10)))
        run.apply(.woke)
        run.wait(.seconds(5))
        #expect(run.actions.isEmpty)
    }

    @Test func `a transfer that its rate limit slows down is not restarted`() {
        var run = QueueRun()
        var settings = TransferSettings()
        settings.rateLimit = ByteRate(perSecond: 1)
        run.add(1, settings: settings)
        run.open(1, of: 1 << 20)
        run.move(1, to: 1 << 18)
        run.apply(.woke)
        run.wait(.seconds(5))
        #expect(run.running == [1])
    }
}
