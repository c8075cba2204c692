import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `A removed transfer` {
    /// 1 finished with 100, 2 failed with 30 of 90, 3 moving at 50 of 200, 4 waiting.
    private var run: QueueRun {
        var run = QueueRun { $0.slots = 3 }
        run.add(4, settings: .sample(maxTries: 1))
        for number in 1...3 { run.report(number, .requested) }
        run.fetch(1, of: 100)
        run.open(2, of: 90)
        run.move(2, to: 30)
        run.fail(2, .httpStatus(404), kept: 30)
        run.open(3, of: 200)
        run.move(3, to: 50)
        return run
    }

    private func ids(_ numbers: Int...) -> [TransferID] { numbers.map(TransferID.init) }

    @Test func `takes no room, however many there were`() {
        var run = QueueRun { $0.isHeld = true }
        for batch in 0..<100 {
            run.add(200)
            let ids = (batch * 200 + 1...batch * 200 + 200).map(TransferID.init)
            run.command(.cancel(ids))
            run.command(.remove(ids))
        }
        expectEqual(run.queue.rows.count, 20_000)
        expectAtMost(run.queue.rows.stored, 512)
        // Nine batches may be undone or share a block with one that may.
        expectAtMost(run.queue.schedule.ranks.stored, 2048)
        expectAtMost(run.queue.probes.line.count, 2000)
        run.command(.restore)
        expectEqual(run.queue.order.map(\.number), Array(19_801...20_000))
        expect(run.phase(20_000) == .cancelled && run.phase(19_800) == nil)
        run.add(1)
        expectEqual(run.phase(20_001), .paused)
    }

    @Test func `is restored with its state, its place and its share of the sums`() {
        var run = run
        let (before, order) = (run.bar, run.queue.order)
        let phases = (1...4).map(run.phase)
        run.command(.remove(ids(2, 1)))
        expectEqual(run.queue.order, ids(3, 4))
        expectEqual(run.queue.totals(at: run.now).restorable, 2)
        expect(run.bar != before)
        run.command(.restore)
        expectEqual(run.queue.order, order)
        expectEqual(run.bar, before)
        expectEqual((1...4).map(run.phase), phases)
        expectEqual(run.reported.completed, run.queue.progress.completed)
        expectEqual(run.reported.total, run.queue.progress.total)
        expectEqual(run.queue.totals(at: run.now).restorable, 0)
        expectEqual(run.queue.sums.estimate, self.run.queue.sums.estimate)
    }

    @Test func `is restored to its place among transfers moved and added meanwhile`() {
        var run = run
        run.command(.remove(ids(2)))
        run.command(.shift(ids(4), .first))
        run.add(1)
        run.command(.restore)
        expectEqual(run.queue.order, ids(4, 1, 2, 3, 5))
    }

    @Test func `does not start a run nor end one`() {
        var run = QueueRun()
        run.add(1)
        run.report(1, .requested)
        run.fetch(1, of: 10)
        run.command(.remove(ids(1)))
        run.command(.restore)
        expect(!run.events.contains { $0.kind == .queueFinished })
        expectEqual(run.queue.fraction.value, 1)
    }
}
