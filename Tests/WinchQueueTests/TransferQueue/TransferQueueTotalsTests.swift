import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The totals of a queue` {
    private func totals(_ run: QueueRun) -> QueueTotals { run.queue.totals(at: run.now) }

    @Test(arguments: ProgressMode.allCases)
    func `count bytes in both modes, with estimates for unknown sizes`(mode: ProgressMode) {
        var run = QueueRun { $0.mode = mode }
        run.add(3)
        run.open(1, of: 1000)
        run.move(1, to: 400)
        expectEqual(totals(run).bytesDone, 400)
        expectEqual(totals(run).bytesTotal, 1000 + 2 * 16_384)
        expect(totals(run).areBytesEstimated)
        expectEqual(totals(run).fetched, 400)
    }

    @Test func `do not count bytes of an earlier run as fetched`() {
        var run = QueueRun()
        run.add(kept: 700, of: 1000)
        run.open(1, at: 700, of: 1000, status: 206)
        run.move(1, to: 900)
        expectEqual(totals(run).bytesDone, 900)
        expectEqual(totals(run).fetched, 200)
    }

    /// Three files of 1000 bytes: one arrives, one fails at its first byte, one is cancelled at half.
    private static func mixed(_ mode: ProgressMode) -> QueueRun {
        var run = QueueRun { $0.mode = mode }
        run.add(3, settings: .sample(maxTries: 1))
        for number in 1...3 { run.open(number, of: 1000) }
        run.finish(1, with: 1000)
        run.fail(2, .httpStatus(404))
        run.move(3, to: 500)
        return run
    }

    @Test func `divide a bar by how transfers ended, and show 100 percent only when all succeeded`() {
        let cases: [(mode: ProgressMode, before: QueueTotals.Shares, after: QueueTotals.Shares)] = [
            (.accurate, .of(succeeded: 1000, unsettled: 500), .of(succeeded: 1000, failed: 1000, cancelled: 1000)),
            (.simple, .of(succeeded: 1, failed: 1), .of(succeeded: 1, failed: 1, cancelled: 1)),
        ]
        for (mode, before, after) in cases {
            var run = Self.mixed(mode)
            expectEqual(totals(run).shares, before)
            run.command(.cancel([TransferID(3)]))
            expectEqual(totals(run).shares, after)
            expectEqual(totals(run).percentWords, "done: 1 of 3")
            expectEqual(totals(run).fraction, 1)
            var good = QueueRun { $0.mode = mode }
            good.add(1)
            good.fetch(1, of: 10)
            expectEqual(totals(good).percentWords, "100%")
        }
    }

    @Test func `include the start and end of the work and its mean rate`() {
        var run = QueueRun { $0.isHeld = true }
        run.add(1)
        expectNil(totals(run).startedAt)
        run.wait(.seconds(5))
        run.command(.resumeAll)
        let start = run.now
        expectEqual(totals(run).startedAt, start)
        run.open(1, of: 1000)
        run.wait(.seconds(2))
        run.move(1, to: 400)
        expectEqual(totals(run).meanRate, ByteRate(perSecond: 200))
        run.command(.pauseAll)
        run.report(1, .stopped(kept: .sample(400, of: 1000)))
        run.wait(.seconds(60))
        expectEqual(totals(run).meanRate, ByteRate(perSecond: 200))
        run.command(.resumeAll)
        run.open(1, at: 400, of: 1000, status: 206)
        run.wait(.seconds(2))
        run.move(1, to: 1000)
        expectNil(totals(run).endedAt)
        run.finish(1, with: 1000)
        expectEqual(totals(run).endedAt, run.now)
        run.wait(.seconds(30))
        expectEqual(totals(run).elapsed(at: run.now), .seconds(64))
        expectEqual(totals(run).meanRate, ByteRate(perSecond: 250))
        run.add(1)
        expectNil(totals(run).endedAt)
        expectEqual(totals(run).startedAt, start)
    }
}

extension QueueTotals.Shares {
    fileprivate static func of(
        succeeded: Int64 = 0, failed: Int64 = 0, cancelled: Int64 = 0, unsettled: Int64 = 0
    ) -> QueueTotals.Shares {
        var shares = QueueTotals.Shares()
        (shares.succeeded, shares.failed) = (succeeded, failed)
        (shares.cancelled, shares.unsettled) = (cancelled, unsettled)
        return shares
    }
}
