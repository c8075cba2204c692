import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `A fraction` {
    @Test(arguments: [
        (0, 0, 0), (0, 100, 0), (29, 100, 29), (57, 100, 57), (58, 100, 58), (99, 100, 99), (100, 100, 99),
        (1, 3, 33), (2, 3, 66), (999_999, 1_000_000, 99), (Int64.max - 1, Int64.max, 99), (Int64.max, Int64.max, 99),
        (5, 0, 0), (-5, 100, 0),
    ])
    func `is rounded down and below 100 percent until all is settled`(completed: Int64, total: Int64, percent: Int) {
        let fraction = Fraction(completed: completed, total: total, allSettled: false)
        expectEqual(fraction.percent, percent)
        expectLess(fraction.value, than: 1)
        expectAtLeast(fraction.value, 0)
        let settled = Fraction(completed: completed, total: total, allSettled: true)
        expect((settled.value, settled.percent) == (1, 100))
    }

    @Test func `of sums beyond eight exbibytes stays within its bounds`() {
        var progress = QueueProgress()
        let whole = QueueProgress.Entry(contribution: Contribution(completed: .max, total: .max), settled: nil)
        for _ in 0..<3 { progress.replace(nil, with: whole) }
        expectEqual(progress.completed, .max)
        expectLess(progress.fraction(in: .accurate, hasStarted: true).value, than: 1)
        for _ in 0..<3 { progress.replace(whole, with: nil) }
        expectEqual(progress, QueueProgress())
    }

    @Test func `is unknown while no size is known`() {
        var run = QueueRun()
        run.add(2)
        expect(run.queue.totals(at: run.now).isIndeterminate)
        run.open(1, of: 100)
        let totals = run.queue.totals(at: run.now)
        expect(totals.isEstimated && !totals.isIndeterminate)
        run.command(.setMode(.simple))
        expect(!run.queue.totals(at: run.now).isEstimated)
    }
}
