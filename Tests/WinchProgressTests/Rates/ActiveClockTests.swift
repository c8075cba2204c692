import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `The active clock` {
    var clock = ActiveClock()

    @Test mutating func `starts at the first sample`() {
        expectNil(clock.gap(to: Moment(seconds: 7)))
        clock.start(at: Moment(seconds: 7))
        expectEqual(clock.seconds, 0)
        expectEqual(clock.gap(to: Moment(seconds: 8.5)), 1.5)
    }

    @Test mutating func `counts only the gaps that it is advanced by`() {
        clock.start(at: Moment(seconds: 1))
        clock.advance(by: 2, to: Moment(seconds: 3))
        clock.start(at: Moment(seconds: 60))
        clock.advance(by: 1, to: Moment(seconds: 61))
        expectEqual(clock.seconds, 3)
    }

    @Test mutating func `stands still in a pause until it is started again`() {
        clock.start(at: Moment(seconds: 1))
        clock.pause()
        expect(clock.isPaused)
        expectNil(clock.gap(to: Moment(seconds: 50)))
        clock.start(at: Moment(seconds: 50))
        expectEqual(clock.gap(to: Moment(seconds: 51)), 1)
    }

    @Test mutating func `never runs backwards`() {
        clock.start(at: Moment(seconds: 5))
        expectEqual(clock.gap(to: Moment(seconds: 4)), 0)
        clock.start(at: Moment(seconds: 4))
        expectEqual(clock.lastSample, Moment(seconds: 5))
    }
}

@Suite struct `A sample interval` {
    @Test func `ends at the first sample after a tenth of a second, at the time of that sample`() {
        var cutter = IntervalCutter()
        cutter.begin(at: 1, with: 500)
        expectNil(cutter.cut(at: 1.06, with: 700))
        expectEqual(cutter.cut(at: 1.125, with: 1_000), SampleInterval(seconds: 0.125, bytes: 500))
        expectNil(cutter.cut(at: 1.2, with: 1_100))
    }

    @Test func `loses no bytes between two intervals`() {
        var cutter = IntervalCutter()
        cutter.begin(at: 0, with: 0)
        var sum = SampleInterval.zero
        for step in 1...1_000 {
            if let interval = cutter.cut(at: Double(step) / 64, with: Int64(step) * 100) { sum += interval }
        }
        expectEqual(sum.bytes / sum.seconds, 6_400)
        expectMore(sum.bytes, than: 99_000)
    }
}
