import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `The change detector` {
    /// Feeds intervals of 0.1 s at these rates, against a mean of 100, and returns the step at which a change is seen.
    private static func change(
        in rates: [Double], noise: Double = 0.04, timeLeft: Double = 60
    ) -> (step: Int, since: SampleInterval)? {
        var detector = RateChangeDetector()
        var fast = FadingMean(value: 100)
        for (step, rate) in rates.enumerated() {
            let interval = SampleInterval(seconds: 0.1, bytes: rate / 10)
            fast.blend(rate, over: 0.1, memory: 0.25)
            let since = detector.take(
                interval, fast: log(fast.value), mean: log(100), noise: noise,
                timeLeft: timeLeft)
            if let since { return (step, since) }
        }
        return nil
    }

    @Test(arguments: [50.0, 200, 1_000, 10])
    func `detects a lasting change within a second and returns the mean since then`(rate: Double) throws {
        let seen = try require(Self.change(in: Array(repeating: rate, count: 50)))
        expectLess(seen.step, than: 10)
        expectLess(abs(seen.since.rate - rate), than: 1e-6 * rate)
    }

    @Test func `ignores changes within the noise`() {
        expect(Self.change(in: (0..<600).map { $0 % 2 == 0 ? 80 : 120 }) == nil)
        expect(Self.change(in: (0..<600).map { $0 / 10 % 2 == 0 ? 60 : 140 }, noise: 0.3) == nil)
    }

    @Test func `ignores a short interruption and the burst after it`() {
        let quiet = Array(repeating: 100.0, count: 20)
        expectNil(Self.change(in: quiet + [1, 1] + quiet))
        expectNil(Self.change(in: quiet + [1, 1, 250, 150] + quiet))
    }

    @Test func `waits longer when more time is left`() throws {
        let step = Array(repeating: 150.0, count: 200)
        let near = try require(Self.change(in: step, noise: 0.05, timeLeft: 30))
        let far = try require(Self.change(in: step, noise: 0.05, timeLeft: 36_000))
        expectMore(far.step, than: near.step + 5)
    }
}

@Suite struct `The deviation of a rate` {
    private static func noise(of values: [Double]) -> (noise: Double, isBiased: Bool) {
        var deviation = RateDeviation()
        for (step, value) in values.enumerated() {
            deviation.take(value, over: 0.1, age: Double(step) / 10, total: Double(step) / 10)
        }
        return (deviation.noise(total: Double(values.count) / 10), deviation.isBiased)
    }

    @Test func `is small for a steady stream`() {
        let (noise, isBiased) = Self.noise(of: Array(repeating: 0, count: 600))
        expectLess(noise, than: 0.03)
        expect(!isBiased)
    }

    @Test func `is the amplitude of a wave`() {
        let (noise, isBiased) = Self.noise(of: (0..<600).map { $0 / 10 % 2 == 0 ? 0.4 : -0.4 })
        expect((0.3..<0.5).contains(noise))
        expect(!isBiased)
    }

    @Test func `to one side is a bias, not noise`() {
        let (noise, isBiased) = Self.noise(of: Array(repeating: 0.3, count: 600))
        expectLess(noise, than: 0.05)
        expect(isBiased)
    }

    @Test func `is not changed by a single outlier`() {
        let (noise, isBiased) = Self.noise(of: (0..<600).map { $0 == 590 ? -3 : 0 })
        expectLess(noise, than: 0.03)
        expect(!isBiased)
    }

    @Test func `is large for a new stream`() {
        expectMore(Self.noise(of: [0, 0]).noise, than: 0.3)
    }
}

@Suite struct `The slow-start phase` {
    /// Feeds intervals of 0.1 s and returns when it was over, with the mean since the last maximum.
    private static func end(of rates: [Double]) -> (seconds: Double, since: SampleInterval?)? {
        var start = SlowStart()
        for (step, rate) in rates.enumerated() {
            let now = Double(step + 1) / 10
            let since = start.take(SampleInterval(seconds: 0.1, bytes: rate / 10), fast: rate, at: now)
            if start.isOver { return (now, since) }
        }
        return nil
    }

    @Test func `of a steady stream is over in half a second, and no sample is dropped`() throws {
        let end = try require(Self.end(of: Array(repeating: 100, count: 20)))
        expectAtMost(end.seconds, 0.5)
        expectNil(end.since)
    }

    @Test func `lasts while the rate doubles and leaves the samples since the last maximum`() throws {
        let doubling = (0..<8).flatMap { power in Array(repeating: Double(1 << power), count: 3) }
        let end = try require(Self.end(of: doubling + Array(repeating: 128, count: 20)))
        expect((2.4..<3).contains(end.seconds))
        expectEqual(end.since.map { abs($0.rate - 128) < 1e-9 }, true)
    }

    @Test func `never lasts longer than about six seconds`() throws {
        let rates: [Double] = (0..<100).map { (second: Int) in 100 * Double(1 << (second / 2)) }
        let end = try require(Self.end(of: rates))
        expectLess(end.seconds, than: 6.2)
    }
}
