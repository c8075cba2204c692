import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A gap without bytes` {
    var silence = StallDetector()

    @Test mutating func `in a fast stream is a stall if it is much longer than the usual gaps`() {
        let calls = (1...100).map { _ in silence.takeGap(0.02) }
        expect(calls.allSatisfy { !$0 })
        expectEqual(silence.takeGap(1.4), false)
        expectEqual(silence.takeGap(5), true)
        expectEqual(silence.stalls, 1)
        expectEqual(silence.stalledSeconds, 5)
    }

    @Test mutating func `is recognised as a stall within two seconds`() {
        for _ in 1...100 { _ = silence.takeGap(0.3) }
        expectLess(silence.limit, than: 2)
    }

    @Test mutating func `between the chunks of a slow link is not a stall`() {
        let stalls = (1...40).filter { _ in silence.takeGap(4) }
        expect(stalls.isEmpty)
        expectMore(silence.limit, than: 8)
    }

    @Test mutating func `on a slow link is a stall if it is several times longer than the usual gaps`() {
        for _ in 1...40 { _ = silence.takeGap(4) }
        expectEqual(silence.takeGap(20), true)
    }

    @Test mutating func `that occurs once does not lengthen the time left, but repeated ones do`() {
        for _ in 1...100 { _ = silence.takeGap(0.02) }
        _ = silence.takeGap(10)
        expectEqual(silence.factor(activeSeconds: 10), 1)
        for _ in 1...100 { _ = silence.takeGap(0.02) }
        _ = silence.takeGap(10)
        // 20 s stalled in 10 s of moving, two stalls: a ninth of it.
        expectLess(abs(silence.factor(activeSeconds: 10) - (1 + 2.0 / 9)), than: 1e-12)
    }
}

@Suite struct `A minimum speed` {
    private static let floor = ByteRate(perSecond: 1000)

    /// Ticks ten times a second; returns the first rate that was too low, and when.
    private static func play(
        _ seconds: Double, rate: Double, limit: ByteRate? = nil, isHeld: Bool = false
    ) -> (rate: ByteRate, at: Double)? {
        var watch = LowestSpeed(at: Moment(seconds: 0), bytes: 0)
        for tick in 1...Int(seconds * 10) {
            let now = Double(tick) / 10
            let low = watch.tooLow(
                at: Moment(seconds: now), bytes: Int64(now * rate), floor: floor, limit: limit, isHeld: isHeld)
            if let low { return (low, now) }
        }
        return nil
    }

    @Test func `is violated after half a minute below it`() {
        let low = Self.play(60, rate: 900)
        expectEqual(low?.at, 30)
        expectLess(abs((low?.rate.perSecond ?? 0) - 900), than: 1)
    }

    @Test func `is kept by a transfer just above it`() {
        expectNil(Self.play(300, rate: 1001))
    }

    @Test func `is not violated by a transfer that its own rate limit slows down`() {
        expectNil(Self.play(120, rate: 500, limit: ByteRate(perSecond: 500)))
        expectNil(Self.play(120, rate: 500, isHeld: true))
        expect(Self.play(120, rate: 500, limit: ByteRate(perSecond: 50_000)) != nil)
    }

    @Test func `excludes time in which nothing was measured`() {
        var watch = LowestSpeed(at: Moment(seconds: 0), bytes: 0)
        watch.exclude(.seconds(100))
        expectNil(
            watch.tooLow(at: Moment(seconds: 110), bytes: 0, floor: Self.floor, limit: nil, isHeld: false))
    }
}
