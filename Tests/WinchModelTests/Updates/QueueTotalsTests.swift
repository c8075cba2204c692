import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The percent of the queue` {
    private func totals(
        _ completed: Int64, of total: Int64, count: Int = 2, _ change: (inout QueueTotals) -> Void = { _ in }
    ) -> QueueTotals {
        var totals = QueueTotals()
        (totals.completed, totals.total, totals.count) = (completed, total, count)
        change(&totals)
        return totals
    }

    @Test(arguments: [(0, 0), (9, 0), (10, 1), (315, 31), (999, 99), (1000, 99)] as [(Int64, Int)])
    func `is rounded down, and is below 100 before the end`(completed: Int64, percent: Int) {
        expectEqual(totals(completed, of: 1000).percent, percent)
        expectEqual(totals(completed, of: 1000).percentWords, "\(percent)%")
    }

    @Test func `is 100 when everything has succeeded`() {
        expectEqual(totals(1000, of: 1000) { $0.finished = 2 }.percentWords, "100%")
    }

    @Test func `is marked while sizes are estimated, until the end`() {
        expectEqual(totals(310, of: 1000) { $0.isEstimated = true }.percentWords, "~31%")
        expectEqual(totals(1000, of: 1000) { ($0.isEstimated, $0.finished) = (true, 2) }.percentWords, "100%")
    }

    @Test func `does not exist for an empty queue and while no size is known`() {
        expectEqual(totals(0, of: 0, count: 0).percentWords, "--")
        expectEqual(totals(5, of: 10) { $0.isIndeterminate = true }.percentWords, "--")
    }

    @Test func `gives way to the counts when something failed`() {
        expectEqual(
            totals(10, of: 10, count: 3) { ($0.finished, $0.failed, $0.cancelled) = (1, 1, 1) }.percentWords,
            "done: 1 of 3")
    }
}

@Suite struct `The history of the rate` {
    private func second(_ number: Int64, _ rate: Double) -> RateHistory.Second {
        RateHistory.Second(number: number, rate: ByteRate(perSecond: rate))
    }

    @Test func `has gaps where nothing was measured, and ignores late values`() {
        var history = RateHistory()
        history.append(second(10, 1))
        history.append(second(13, 2))
        history.append(second(12, 9))
        expectEqual((9...14).map { history[$0]?.perSecond }, [nil, 1, nil, nil, 2, nil])
        history.append(second(500, 3))
        expectNil(history[13])
    }
}

@Suite struct `The time span of the rate graphs` {
    @Test func `is how long a rate is kept`() {
        var history = RateHistory()
        for number in -200...200 as ClosedRange<Int64> {
            history.append(RateHistory.Second(number: number, rate: ByteRate(perSecond: Double(number + 200))))
        }
        expectEqual(history.last, 200)
        expectEqual(history[200]?.perSecond, 400)
        expectEqual(history[81]?.perSecond, 281)
        expectNil(history[80])
        expectNil(history[201])
        expectEqual(history.seconds.count, 120)
    }
}
