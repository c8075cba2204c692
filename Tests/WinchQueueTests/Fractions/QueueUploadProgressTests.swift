import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// Uploads, computed by hand like the downloads.
@Suite struct `The queue's upload bar` {
    private let size: Int64 = 300_000

    /// Holds one upload of a known size, at work.
    private func sending(_ bytes: Int64) -> QueueRun {
        var run = QueueRun()
        run.add(.sample(direction: .up))
        run.report(1, .requested)
        run.send(1, bytes, of: size)
        return run
    }

    @Test func `follows the body, waits for the response, and is full after it`() {
        var run = sending(0)
        expectEqual(run.uploadBar, "0/300000")
        for (sent, fraction) in [(131_072, 0.4369), (262_144, 0.8738)] as [(Int64, Double)] {
            run.send(1, sent, of: size)
            expectLess(abs(run.queue.fraction(of: .up).value - fraction), than: 0.0001)
        }
        run.send(1, size, of: size)
        run.report(1, .bodyEnded(size: ByteCount(size)))
        expectEqual(run.stage(1), .replying)
        expectEqual(run.uploadBar, "300000/300000")
        expectEqual(run.queue.fraction(of: .up).percent, 99)
        expectEqual(run.queue[TransferID(1)]?.row(at: run.now).phase, .replying)
        run.report(1, .finished(.saved(path: "file"), size: ByteCount(size)))
        expectEqual(run.queue.fraction(of: .up).value, 1)
        expectEqual(run.events.last?.kind, .queueFinished)
    }

    /// After a 401 or a 307 the body is sent again.
    @Test func `returns to exactly zero when the body must be sent again`() {
        var run = sending(size)
        run.report(1, .bodyEnded(size: ByteCount(size)))
        run.report(1, .unsent(downTo: .zero))
        expectEqual(run.uploadBar, "0/300000")
        expectEqual(run.rebases, [.sentAgain])
        expectEqual(run.events.first?.completed, -size)
        expectEqual(run.queue[TransferID(1)]?.rebase?.cause, .sentAgain)
        run.report(1, .unsent(downTo: .zero))
        expectEqual(run.uploadBar, "0/300000")
        expectEqual(run.rebases, [])
        run.send(1, 100_000, of: size)
        run.report(1, .bodyEnded(size: ByteCount(size)))
        run.report(1, .finished(.saved(path: "file"), size: ByteCount(size)))
        expectEqual(run.uploadBar, "300000/300000")
        expectEqual(run.queue.fraction(of: .up).value, 1)
    }

    @Test func `is separate from the downloads' bar, and part of the whole`() {
        var run = sending(100_000)
        expectEqual(run.queue.progress, QueueProgress())
        run.add(1)
        run.open(2, of: 1000)
        run.move(2, to: 500)
        expect((run.bar, run.uploadBar) == ("500/1000", "100000/300000"))
        run.finish(2, with: 1000)
        expectEqual(run.queue.fraction.value, 1)
        expect(run.events.last?.kind != .queueFinished)
        let totals = run.queue.totals(at: run.now)
        expect((totals.completed, totals.total, totals.count, totals.finished) == (101_000, 301_000, 2, 1))
        expect((totals.uploads?.completed, totals.uploads?.total, totals.uploads?.count) == (100_000, 300_000, 1))
        run.command(.setMode(.simple))
        expect((run.bar, run.uploadBar) == ("1/1", "0/1"))
    }

    /// The response to an upload has a body too: it is neither saved nor counted.
    @Test(arguments: [
        TransportEvent.opening(of: 5000), .moving(to: 200_000),
    ])
    func `does not count the body of the response`(event: TransportEvent) {
        var run = sending(100_000)
        run.report(1, event)
        expect((run.bar, run.uploadBar, run.queue.ignored) == ("0/0", "100000/300000", 1))
    }

    @Test(arguments: [TransportEvent.sent(ByteCount(500), of: nil), .unsent(downTo: .zero)])
    func `ignores reports of a download`(event: TransportEvent) {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.report(1, event)
        expect((run.bar, run.uploadBar, run.queue.ignored) == ("0/1000", "0/0", 1))
    }

    @Test(arguments: [(Int64(0), "0/300000"), (100_000, "100000/300000")])
    func `subtracts what a retry has to send again, and no more`(kept: Int64, bar: String) {
        var run = sending(100_000)
        run.fail(1, kept: kept)
        expectEqual(run.uploadBar, bar)
        expect(run.rebases == (kept == 0 ? [.lostOnRetry] : []))
    }

    @Test func `does not move while paused, in the middle or while waiting for the response`() {
        for isSent in [false, true] {
            var run = sending(100_000)
            if isSent { run.report(1, .bodyEnded(size: ByteCount(size))) }
            let bar = run.uploadBar
            run.command(.pause([TransferID(1)]))
            expectEqual(run.uploadBar, bar)
            expectEqual(run.running, [])
            run.report(1, .stopped(kept: nil))
            expectEqual(run.uploadBar, "0/300000")
            expectEqual(run.rebases, [.lostOnRetry])
            run.command(.resume([TransferID(1)]))
            expectEqual(run.started, [1])
        }
    }

    /// With the empty upload the only known size leaves the list, so nothing is known of the whole.
    @Test func `says why the bar of both moves back when an upload of nothing is removed`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: nil)
        run.move(1, to: 5000)
        run.add(.sample(direction: .up))
        run.send(2, 0, of: 0)
        run.report(2, .bodyEnded(size: .zero))
        run.report(2, .finished(.sent(path: "f"), size: .zero))
        let before = run.queue.totals(at: run.now).fraction
        run.wait(.seconds(1))
        run.command(.remove([TransferID(2)]))
        let after = run.queue.totals(at: run.now)
        expectLess(after.fraction, than: before)
        expect(after.rebase?.at == run.now && after.rebase?.cause == .removed(1))
        expectEqual(run.rebases, [.removed(1)])
    }

    @Test func `estimates the size of a body of unknown length`() {
        var run = QueueRun()
        run.add(.sample(direction: .up))
        run.send(1, 10_000, of: nil)
        expectEqual(run.uploadBar, "10000/16384")
        run.send(1, 20_000, of: nil)
        expectEqual(run.uploadBar, "20000/40000")
        run.report(1, .bodyEnded(size: ByteCount(25_000)))
        expectEqual(run.uploadBar, "25000/25000")
    }
}

extension QueueRun {
    fileprivate mutating func send(_ number: Int, _ bytes: Int64, of size: Int64?) {
        report(number, .sent(ByteCount(bytes), of: size.map(ByteCount.init(bytes:))))
    }

    var uploadBar: String {
        let (completed, total) = queue.uploads.counted(in: queue.settings.mode)
        return "\(completed)/\(total)"
    }
}
