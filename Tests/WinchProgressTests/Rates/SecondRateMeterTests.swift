import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A meter of whole seconds` {
    @Test func `reports the mean of each second once`() {
        var meter = SecondRateMeter()
        var told: [RateHistory.Second] = []
        for tenth in 0...35 {
            let at = Moment(seconds: 7 + Double(tenth) / 10)
            if let second = meter.record(ByteCount(Int64(tenth) * 50), at: at) { told.append(second) }
        }
        expectEqual(told.map(\.number), [7, 8, 9])
        expectEqual(told.map { $0.rate.perSecond.rounded() }, [500, 500, 500])
    }

    @Test func `reports nothing for a part of a second or while the process slept`() {
        var meter = SecondRateMeter()
        expectNil(meter.record(ByteCount(0), at: Moment(seconds: 1.8)))
        expectNil(meter.record(ByteCount(0), at: Moment(seconds: 2.0)))
        expectNil(meter.record(ByteCount(20), at: Moment(seconds: 60)))
        meter.pause(with: ByteCount(20), at: Moment(seconds: 60.2))
        expectNil(meter.begin(with: ByteCount(20), at: Moment(seconds: 60.5)))
        expectEqual(meter.record(ByteCount(30), at: Moment(seconds: 61.1))?.number, 60)
    }

    @Test func `counts every byte, however short the time in which it arrived`() {
        var meter = SecondRateMeter()
        expectNil(meter.begin(with: .zero, at: Moment(seconds: 1.7)))
        // 300 ms are too short for a mean: reported as a whole second.
        let first = meter.record(ByteCount(1000), at: Moment(seconds: 2))
        expectEqual(first, RateHistory.Second(number: 1, rate: ByteRate(perSecond: 1000)))
        // Three short pieces of one second add up.
        var moved: Int64 = 1000
        for tenth in [0, 3, 6] {
            let begin = Moment(seconds: 2 + Double(tenth) / 10)
            expectNil(meter.begin(with: ByteCount(moved), at: begin))
            moved += 100
            meter.pause(with: ByteCount(moved), at: begin + .milliseconds(200))
        }
        let second = meter.end(with: ByteCount(moved), at: Moment(seconds: 5))
        expectEqual(second, RateHistory.Second(number: 2, rate: ByteRate(perSecond: 500)))
        expectNil(meter.end(with: ByteCount(moved), at: Moment(seconds: 6)))
    }

    /// The stream begins shortly before a second ends: the rest of that second is not its rate.
    @Test(arguments: [0.05, 0.2, 0.45, 0.6, 1.0])
    func `bounds the rate by what came since the stream began until a whole second was seen`(rest: Double) {
        var meter = SecondRateMeter()
        let start = Moment(seconds: 7) + .seconds(1 - rest)
        _ = meter.begin(with: .zero, at: start)
        for step in 1...30 {
            let (now, moved) = (start + .milliseconds(50 * step), ByteCount(Int64(step) * 10_000))
            _ = meter.record(moved, at: now)
            let rate = meter.bounded(ByteRate(perSecond: 40_000), moved: moved, at: now)
            expectLess(abs(rate.perSecond - 200_000), than: 1, "\(step): \(rate)")
        }
    }
}
