import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The measured rate` {
    /// Moving at a megabyte a second for ten seconds.
    private static func moving(_ configure: (inout QueueSettings) -> Void = { _ in }) -> QueueRun {
        var run = QueueRun(configure)
        run.add(1)
        run.open(1, of: 100_000_000)
        run.stream(1, 100_000, steps: 1...100)
        return run
    }

    private static func isAMegabyte(_ rate: ByteRate?) -> Bool {
        rate.map { abs($0.perSecond - 1_000_000) < 50_000 } ?? false
    }

    @Test func `survives a pause, in the row and in the queue`() throws {
        var run = Self.moving()
        expect(Self.isAMegabyte(run.row(1)?.rate))
        run.command(.pauseAll)
        run.report(1, .stopped(kept: .sample(10_000_000, of: 100_000_000)))
        expectNil(run.row(1)?.rate)
        expectNil(run.queue.totals(at: run.now).rate)
        run.wait(.seconds(3600))
        run.command(.resumeAll)
        run.open(1, at: 10_000_000, of: 100_000_000, status: 206)
        expect(Self.isAMegabyte(run.row(1)?.rate))
        expect(Self.isAMegabyte(run.queue.totals(at: run.now).rate))
        let finish = try require(run.row(1)?.finish)
        expectLess(abs((finish - run.now).seconds - 90), than: 5)
        run.wait(.milliseconds(100))
        run.move(1, to: 10_100_000)
        expect(Self.isAMegabyte(run.row(1)?.rate))
        expect(Self.isAMegabyte(run.queue.totals(at: run.now).rate))
    }

    @Test func `survives a retry, and the end moves by the time for the lost bytes`() throws {
        var run = Self.moving()
        run.fail(1, kept: 4_000_000)
        run.wait(.seconds(60))
        run.open(1, at: 4_000_000, of: 100_000_000, status: 206)
        expect(Self.isAMegabyte(run.row(1)?.rate))
        let finish = try require(run.row(1)?.finish)
        expectLess(abs((finish - run.now).seconds - 96), than: 5)
    }

    @Test func `survives a suspension of the process`() {
        var run = Self.moving()
        run.now = run.now + .seconds(3600)
        run.command(.resumed(at: run.now))
        expect(Self.isAMegabyte(run.row(1)?.rate))
        expectNil(run.row(1)?.stalledSince)
        expect(Self.isAMegabyte(run.queue.totals(at: run.now).rate))
    }

    @Test func `is discarded when the file has changed`() {
        var run = Self.moving()
        run.fail(1, kept: 10_000_000)
        run.wait(.seconds(60))
        run.open(1, of: 5_000, startedOver: .fileChanged)
        expectNil(run.row(1)?.rate)
        expectNil(run.row(1)?.finish)
    }

    @Test func `gives no end for a row of unknown size and an approximate one for its queue`() {
        var run = Self.moving { $0.mode = .simple }
        run.add(1)
        run.open(2, of: nil)
        run.stream(2, 100_000, steps: 1...20)
        expect(run.row(2)?.rate != nil)
        expectNil(run.row(2)?.finish)
        let totals = run.queue.totals(at: run.now)
        expect(!totals.isEstimated)
        expect(totals.isFinishEstimated)
        expectEqual(totals.guessed, 100_000_000 - 2_000_000)
    }

    @Test func `gives the end of what runs while another row is paused`() throws {
        var run = Self.moving()
        run.add(1)
        run.open(2, of: 18_000_000)
        run.command(.pause([TransferID(2)]))
        run.report(2, .stopped(kept: nil))
        run.stream(1, 100_000, steps: 101...150)
        let finish = try require(run.queue.totals(at: run.now).finish)
        expectLess(abs((finish - run.now).seconds - 85), than: 5)
    }

    /// Fast files are done, one slow one is left: the queue ends with it, whatever arrived in the last second.
    @Test func `gives no end of the queue before that of its last row`() throws {
        var run = QueueRun()
        run.add(2)
        run.open(1, of: 600_000_000)
        run.open(2, of: 20_000_000)
        for step in 1...60 {
            run.wait(.milliseconds(100))
            run.move(1, to: Int64(step) * 10_000_000)
            run.move(2, to: Int64(step) * 10_000)
        }
        run.finish(1, with: 600_000_000)
        for step in 61...80 {
            run.wait(.milliseconds(100))
            run.move(2, to: Int64(step) * 10_000)
            let queue = try require(run.queue.totals(at: run.now).finish)
            let row = try require(run.row(2)?.finish)
            expectAtLeast(queue, row)
            expectMore(row - run.now, than: .seconds(150))
        }
    }

    @Test func `gives no end of the queue before that of a row by its own limit`() throws {
        var run = QueueRun()
        run.add(3)
        run.command(.setRateLimit(ByteRate(perSecond: 30_000)))
        run.command(.setRateLimitEach([TransferID(3)], ByteRate(perSecond: 6000)))
        for number in 1...3 { run.open(number, of: 3_000_000) }
        for step in 1...60 {
            run.wait(.milliseconds(100))
            for number in 1...3 { run.move(number, to: Int64(step) * (number == 3 ? 600 : 1200)) }
        }
        let finish = try require(run.queue.totals(at: run.now).finish)
        expectAtLeast(finish - run.now, .seconds(494))
        expectLess(finish - run.now, than: .seconds(600))
    }

    /// A server that sends the bytes of a second at once and then continues at its limit, as nginx does.
    @Test func `never exceeds that of the last seconds, in the header and in the row`() throws {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1 << 30)
        var history = RateHistory()
        var top = 0.0
        for step in 1...200 {
            run.now = run.now + .milliseconds(100)
            let have = 40_960 + Int64(step) * 4096
            _ = run.queue.apply(
                .report(
                    TransportReport(
                        .sample(1), at: run.now,
                        event: .moving(to: have))), at: run.now)
            _ = run.queue.apply(.tick, at: run.now)
            let taken = run.queue.takeUpdate(at: run.now)
            let update = try require(taken)
            for second in update.seconds {
                history.append(second)
                top = max(top, second.rate.perSecond)
            }
            guard step >= 10 else { continue }
            let header = try require(update.totals.rate?.perSecond)
            let row = try require(update.rows[TransferID(1)]?.rate?.perSecond)
            expectAtMost(header, top * 1.001, "\(step): \(header), top \(top)")
            expectLess(abs(header - row), than: 0.05 * row, "\(step): \(header), row \(row)")
            // The burst is five seconds old.
            if step > 60 { expectLess(abs(header - 40_960), than: 500, "\(step): \(header)") }
        }
        expectMore(top, than: 80_000, "the burst is drawn as well")
    }

    @Test func `is recorded even if everything arrived at once within a short time`() {
        var run = QueueRun()
        run.add(40)
        var reported: [RateHistory.Second] = []
        for number in 1...40 {
            run.now = run.now + .milliseconds(10)
            for event: TransportEvent in [
                .requested, .opening(of: 1000), .bodyEnded(size: ByteCount(1000)),
                .finished(.saved(path: "f"), size: ByteCount(1000)),
            ] {
                let report = TransportReport(.sample(number), at: run.now, event: event)
                _ = run.queue.apply(.report(report), at: run.now)
            }
            reported += run.queue.takeUpdate(at: run.now)?.seconds ?? []
        }
        expectEqual(reported.map(\.rate), [ByteRate(perSecond: 40_000)])
    }
}
