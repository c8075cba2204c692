import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `A failed attempt` {
    @Test(arguments: [(1, 0), (2, 1), (5, 4)])
    func `is repeated until the tries are used up`(most: Int, retries: Int) {
        var run = QueueRun()
        run.add(1, settings: .sample(maxTries: most))
        for _ in 0..<retries {
            run.fail(1)
            expect(run.backoff(1) != nil)
            run.wait(.seconds(60))
            expectEqual(run.started, [1])
        }
        run.fail(1)
        expectEqual(run.phase(1), .failed(.connectionLost("reset")))
    }

    @Test func `that received bytes resets the count of tries`() {
        var run = QueueRun()
        run.add(1, settings: .sample(maxTries: 2))
        for have in [100, 200, 300] as [Int64] {
            run.open(1, at: have - 100, of: 1000)
            run.move(1, to: have)
            run.fail(1, kept: have)
            expectAtMost(run.backoff(1) ?? .seconds(60), .seconds(1))
            run.wait(.seconds(60))
        }
        // Without progress the one remaining attempt is the last.
        run.fail(1, kept: 300)
        expectEqual(run.phase(1), .failed(.connectionLost("reset")))
        expectEqual(run.bar, "300/300")
    }

    @Test func `after a whole megabyte is repeated at once, any number of times`() {
        var run = QueueRun()
        run.add(1, settings: .sample(maxTries: 1))
        let mebi: Int64 = 1 << 20
        for have in 1...50 as ClosedRange<Int64> {
            run.open(1, at: (have - 1) * mebi, of: 100 * mebi)
            run.move(1, to: have * mebi)
            run.fail(1, .cutShort(have: ByteCount(have * mebi), expected: nil), kept: have * mebi)
            expectEqual(run.started, [1])
        }
    }

    @Test func `that receives the same bytes again is no progress`() {
        var run = QueueRun()
        run.add(1, settings: .sample(maxTries: 3))
        let mebi: Int64 = 1 << 20
        var attempts = 0
        while run.stage(1) == .connecting, attempts < 50 {
            attempts += 1
            // Ranges are refused: each attempt starts over and ends a little earlier or at the same place.
            run.open(1, at: 0, of: 100 * mebi)
            let have = attempts % 2 == 0 ? mebi - 100 : mebi
            run.move(1, to: have)
            run.fail(1, .cutShort(have: ByteCount(have), expected: nil), kept: have)
            if run.backoff(1) != nil { run.wait(.seconds(60)) }
        }
        // The first, which received bytes, and then as many as are allowed.
        expectAtMost(attempts, 4)
        expectEqual(run.queue.progress.failed, 1)
    }

    @Test func `because of a low speed uses up a try, whatever it received`() {
        var run = QueueRun()
        run.add(1, settings: .sample(maxTries: 3))
        for have in [1000, 2000, 3000] as [Int64] {
            run.open(1, at: have - 1000, of: 1 << 30)
            run.move(1, to: have)
            run.fail(1, .tooSlow(perSecond: 33, seconds: 30), kept: have)
            run.wait(.seconds(60))
        }
        expectEqual(run.phase(1), .failed(.tooSlow(perSecond: 33, seconds: 30)))
    }

    @Test func `counts the server's Retry-After from the time of the response`() {
        var run = QueueRun()
        run.add(1)
        let id = TransferID(1)
        let later = run.now + .seconds(2)
        run.apply(
            .report(
                TransportReport(
                    ConnectionID(transfer: id, number: 1), at: later,
                    event: .failed(.httpStatus(503), retryAfter: .seconds(30), kept: nil))))
        expectEqual(run.backoff(1), .seconds(32))
    }

    @Test func `is not repeated at the same moment as others`() {
        var run = QueueRun()
        run.add(4)
        for number in 1...4 { run.fail(number) }
        expectEqual(Set((1...4).map { run.backoff($0) }).count, 4, "each has its own wait")
    }

    @Test func `has the same number in row, log and details, even if it does not use up a try`() {
        var run = QueueRun()
        run.queue.keepLedger(from: LedgerKey(1), calendar: .sample)
        run.add(1)
        for number in 1...7 {
            expect(run.events.contains { $0.kind == .started(attempt: number) })
            expectEqual(run.queue.detailsStore[TransferID(1)]?.attempts.last?.number, number)
            run.report(1, .requested)
            run.open(1, at: Int64(number - 1) * 10, of: 1000, status: 206)
            run.move(1, to: Int64(number) * 10)
            run.fail(1, kept: Int64(number) * 10)
            guard case .backoff(_, let attempt, let limit, _)? = run.row(1)?.phase else {
                Issue.record("no backoff: \(String(describing: run.phase(1)))")
                return
            }
            // Each attempt made progress: it counts as the first, and four more are allowed.
            expect((attempt, limit) == (2, 5))
            run.wait(.seconds(60))
        }
    }

    @Test func `that waits for a slot shows why it failed`() {
        var run = QueueRun { ($0.slots, $0.mode) = (1, .simple) }
        run.add(2)
        run.fail(1, .httpStatus(500))
        expectNil(run.row(1)?.retry, "its phase says it")
        expectEqual(run.running, [2])
        run.wait(.seconds(60))
        expectEqual(run.row(1)?.phase, .waiting(.slot))
        expectEqual(run.row(1)?.retry, TransferSnapshot.Retry(failure: .httpStatus(500), attempt: 2, limit: 5))
        expectNil(run.row(2)?.retry)
        run.finish(2, with: 1)
        expectEqual(run.running, [1])
        expectNil(run.row(1)?.retry)
    }

    @Test func `is asked for again as after a refusal when the last answer was one, or none came`() {
        var run = QueueRun()
        run.add(kept: 400, of: 1000)
        expectEqual(run.request?.followsRefusal, false)
        for (failure, have, isRefusal) in [
            (.httpStatus(502), 400, true), (.connectionLost("reset"), 400, true),
            (.connectionLost("reset"), 500, false), (.stalled(seconds: 30), 500, false),
        ] as [(TransferFailure, Int64, Bool)] {
            run.fail(1, failure, kept: have)
            run.wait(.seconds(60))
            expectEqual(run.request?.followsRefusal, isRefusal)
        }
    }

    @Test func `that the user pauses and resumes has no reason left`() {
        var run = QueueRun { $0.slots = 1 }
        run.add(2)
        run.fail(1, .httpStatus(500))
        run.command(.pause([TransferID(1)]))
        run.command(.resume([TransferID(1)]))
        expectEqual(run.row(1)?.phase, .waiting(.slot))
        expectNil(run.row(1)?.retry)
    }

    @Test func `of a whole file with a wrong checksum subtracts what was counted`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.report(1, .bodyEnded(size: ByteCount(1000)))
        expectEqual(run.bar, "1000/1000")
        run.fail(1, .checksum(type: "md5", expected: "a", got: "b"))
        expectEqual(run.bar, "0/0")
        expectEqual(run.rebases, [.lostOnRetry])
    }

    @Test func `that the user retries starts with the kept part`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.move(1, to: 600)
        run.fail(1, .httpStatus(404), kept: 600)
        expectEqual(run.bar, "600/600")
        run.command(.retryFailed)
        expectEqual(run.bar, "600/1000")
        expectEqual(run.rebases, [.retried])
        expectEqual(run.started, [1])
    }
}

extension QueueRun {
    func row(_ number: Int) -> TransferSnapshot? { queue.row(TransferID(number), at: now) }
}
