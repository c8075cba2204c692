import Testing

@testable import WinchModel

@Suite struct `The history of the rate` {
    private func second(_ number: Int64, _ rate: Double) -> RateHistory.Second {
        RateHistory.Second(number: number, rate: ByteRate(perSecond: rate))
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
