import Testing

@testable import WinchModel

@Suite struct `The time span of the rate graphs` {
    @Test func `is two minutes, of which one always fits`() {
        #expect(RateGraphSpan.seconds == 120)
        #expect(RateGraphSpan.wholeAtMost == 60)
    }

    @Test func `is how long a rate is kept`() {
        var history = RateHistory()
        for number in -200...200 as ClosedRange<Int64> {
            history.append(RateHistory.Second(number: number, rate: ByteRate(perSecond: Double(number + 200))))
        }
        #expect(history.last == 200)
        #expect(history[200]?.perSecond == 400)
        #expect(history[81]?.perSecond == 281)
        #expect(history[80] == nil)
        #expect(history[201] == nil)
        #expect(history.seconds.count == 120)
    }
}
