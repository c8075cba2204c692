import Testing

@testable import WinchModel

@Suite struct `The history of the rate` {
    private func second(_ number: Int64, _ rate: Double) -> RateHistory.Second {
        RateHistory.Second(number: number, rate: ByteRate(perSecond: rate))
    }

    @Test func `covers two minutes`() {
        var history = RateHistory()
        for number in -200...200 as ClosedRange<Int64> { history.append(second(number, Double(number + 200))) }
        #expect(history.last == 200)
        #expect(history[200]?.perSecond == 400)
        #expect(history[81]?.perSecond == 281)
        #expect(history[80] == nil)
        #expect(history[201] == nil)
    }

    @Test func `has gaps where nothing was measured, and ignores late values`() {
        var history = RateHistory()
        history.append(second(10, 1))
        history.append(second(13, 2))
        history.append(second(12, 9))
        #expect((9...14).map { history[$0]?.perSecond } == [nil, 1, nil, nil, 2, nil])
        history.append(second(500, 3))
        #expect(history[13] == nil)
    }
}
