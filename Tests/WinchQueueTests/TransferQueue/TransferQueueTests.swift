import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `A run` {
    @Test func `may be held before it begins`() {
        var run = QueueRun { $0.isHeld = true }
        run.add(3)
        expectEqual(run.running, [])
        expect(run.queue.totals(at: run.now).isHeld)
        run.command(.resume([TransferID(2)]))
        expectEqual(run.running, [2])
        run.command(.resumeAll)
        expectEqual(run.running, [1, 2, 3])
        run.add(1)
        expectEqual(run.running, [1, 2, 3, 4])
    }

    @Test func `is held no more once every transfer was resumed by itself`() {
        var run = QueueRun { $0.isHeld = true }
        run.add(2)
        run.command(.resume([TransferID(1)]))
        expect(run.queue.totals(at: run.now).isHeld)
        run.command(.resume([TransferID(2)]))
        expect(!run.queue.totals(at: run.now).isHeld)
        run.add(1)
        expectEqual(run.running, [1, 2, 3])
    }

    @Test func `is held for the rest of a list that is being read, whatever was resumed`() {
        var run = QueueRun { $0.isHeld = true }
        run.apply(.reading(true))
        run.add(1)
        run.command(.resume([TransferID(1)]))
        run.add(1)
        expectEqual(run.running, [1])
    }

    @Test func `does not end while a batch is being read`() {
        var run = QueueRun()
        run.apply(.reading(true))
        run.add(1)
        run.finish(1, with: 10)
        expect(!run.events.contains { $0.kind == .queueFinished })
        let totals = run.queue.totals(at: run.now)
        expect(totals.isReading && !totals.allSettled)
        run.apply(.reading(false))
        expectEqual(run.events.map(\.kind), [.queueFinished])
        expect(run.queue.totals(at: run.now).allSettled)
    }

    @Test func `is shown before it begins as it will be, with nothing started`() throws {
        let specs = [TransferSpec.sample(), .sample(isPaused: true)]
        let preview = try require(
            Update.preview(
                of: specs.map { Addition(spec: $0) }, settings: QueueSettings(), isReading: true, at: Moment(seconds: 1)
            ))
        expectEqual(preview.order, .whole([TransferID(1), TransferID(2)]))
        expectEqual(preview.rows[TransferID(1)]?.phase, .waiting(.slot))
        expectEqual(preview.rows[TransferID(2)]?.phase, .paused)
        expect(preview.totals.count == 2 && preview.totals.isReading && preview.totals.isStarting)
        expect(preview.events.isEmpty)
    }

    @Test func `pauses transfers added after pause-all`() {
        var run = QueueRun()
        run.command(.pauseAll)
        run.add(2)
        expectEqual(run.running, [])
        expectNil(run.queue.nextTick(after: run.now))
    }

    @Test func `reports a pause with the bytes on disk when the connection is closed`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.move(1, to: 400)
        run.command(.pause([TransferID(1)]))
        expectEqual(run.phase(1), .paused)
        expect(!run.events.contains { $0.kind == .paused })
        run.report(1, .stopped(kept: .sample(450, of: 1000)))
        expectEqual(run.events.last?.kind, .paused)
        expectEqual(run.events.last?.have, ByteCount(450))
        expectEqual(run.events.last?.completed, 50)
    }

    @Test func `reports a pause before a resumption that precedes its end`() {
        var run = QueueRun()
        run.add(1)
        run.open(1, of: 1000)
        run.command(.pause([TransferID(1)]))
        run.command(.resume([TransferID(1)]))
        expectEqual(run.events.map(\.kind), [.paused, .resumed])
        run.report(1, .stopped(kept: .sample(450, of: 1000)))
        expect(!run.events.contains { $0.kind == .paused })
    }

    @Test func `stops at the first failure if configured`() {
        var run = QueueRun {
            $0.failsFast = true
            $0.slots = 3
        }
        run.add(5)
        run.open(1, of: 100)
        run.report(2, .bodyEnded(size: ByteCount(10)))
        run.fail(3, .httpStatus(404))
        expectEqual(run.phase(3), .failed(.httpStatus(404)))
        expectEqual(run.phase(5), .failed(.stoppedByFailFast))
        // A transfer that is being finished is completed.
        expectEqual(run.phase(2), .verifying(isCancelling: false))
        expectEqual(
            run.actions,
            [
                .close(ConnectionID(transfer: TransferID(1), number: 1), discarding: false),
                .close(ConnectionID(transfer: TransferID(4), number: 1), discarding: false),
            ])
        // Those that run have failed when their connections have answered.
        expectEqual([1, 4].map { run.queue[TransferID($0)]?.isSettled }, [false, false])
        run.report(1, .stopped(kept: .sample(70, of: 100)))
        run.report(4, .stopped(kept: nil))
        expectEqual([1, 4].map { run.phase($0) }, Array(repeating: .failed(.stoppedByFailFast), count: 2))
        expect(run.bar == "80/80 ~" || run.bar == "80/80")
        run.report(2, .finished(.saved(path: "f"), size: ByteCount(10)))
        expectEqual(RunSummary(run.queue).exitCode, 3)
    }

    @Test func `does not stop for a retry or a cancel`() {
        var run = QueueRun { $0.failsFast = true }
        run.add(2)
        run.command(.cancel([TransferID(1)]))
        run.fail(2)
        expect(run.backoff(2) != nil)
    }

    @Test func `ends once, after the last transfer is settled, and again after a retry`() {
        var run = QueueRun()
        run.add(2)
        run.finish(1, with: 1)
        expect(!run.events.contains { $0.kind == .queueFinished })
        run.fail(2, .httpStatus(404))
        expectEqual(run.events.last?.kind, .queueFinished)
        run.command(.cancel([TransferID(2)]))
        expect(!run.events.contains { $0.kind == .queueFinished })
        run.command(.retry([TransferID(2)]))
        run.finish(2, with: 1)
        expectEqual(run.events.last?.kind, .queueFinished)
    }

    @Test func `without transfers shows zero before its start and 100 percent afterwards`() {
        var run = QueueRun()
        expectEqual(run.queue.fraction.value, 0)
        run.add(1)
        run.finish(1, with: 5)
        run.command(.remove([TransferID(1)]))
        expectEqual(run.queue.fraction.value, 1)
        expectEqual(run.bar, "0/0")
    }

    @Test func `ignores an addition without a URL`() {
        var run = QueueRun()
        run.apply(.added([Addition(spec: TransferSpec(urls: []))]))
        expectEqual(run.queue.progress.count, 0)
        expectEqual(run.queue.ignored, 1)
    }

    @Test(arguments: [(-5, 100, "0/16384 ~"), (400, 300, "400/16384 ~"), (20_000, 300, "20000/40000 ~"), (5, 5, "5/5")])
    func `uses the size of a kept part only if it is plausible`(have: Int64, total: Int64, bar: String) {
        var run = QueueRun()
        run.add(kept: have, of: total)
        expectEqual(run.bar, bar)
    }
}
