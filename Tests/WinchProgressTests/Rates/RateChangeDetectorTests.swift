import Glibc
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
        let seen = try #require(Self.change(in: Array(repeating: rate, count: 50)))
        #expect(seen.step < 10)
        #expect(abs(seen.since.rate - rate) < 1e-6 * rate)
    }

    @Test func `ignores changes within the noise`() {
        #expect(Self.change(in: (0..<600).map { $0 % 2 == 0 ? 80 : 120 }) == nil)
        #expect(Self.change(in: (0..<600).map { $0 / 10 % 2 == 0 ? 60 : 140 }, noise: 0.3) == nil)
    }

    @Test func `ignores a short interruption and the burst after it`() {
        let quiet = Array(repeating: 100.0, count: 20)
        #expect(Self.change(in: quiet + [1, 1] + quiet) == nil)
        #expect(Self.change(in: quiet + [1, 1, 250, 150] + quiet) == nil)
    }

    @Test func `waits longer when more time is left`() throws {
        let step = Array(repeating: 150.0, count: 200)
        let near = try #require(Self.change(in: step, noise: 0.05, timeLeft: 30))
        let far = try #require(Self.change(in: step, noise: 0.05, timeLeft: 36_000))
        #expect(far.step > near.step + 5)
    }
}
