import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `The delay of a retry` {
    @Test func `checks for the network often enough to continue soon`() {
        for times in [0, 1, 2, 5, 100, 1_000_000] {
            for retryWait in [Duration.zero, .seconds(1), .seconds(1000)] {
                let settings = TransferSettings.sample(retryWait: retryWait)
                for jitter in [0, 0.999] {
                    let wait = RetryDelay.uncounted(times: times, settings: settings, jitter: jitter)
                    expect(wait >= .milliseconds(50) && wait <= .seconds(10))
                }
            }
        }
    }

    /// Waits anywhere between half of the bound and the bound, both included, also when the server asks for less.
    @Test(arguments: [(1, 1.0), (2, 2), (3, 4), (6, 32), (7, 60), (60, 60), (1_000_000, 60)])
    func `spreads each wait between half of a bound that doubles and the bound`(tries: Int, bound: Double) {
        let settings = TransferSettings.sample(maxTries: 0)
        func wait(_ jitter: Double) -> Double {
            let delay = RetryDelay.afterFailure(
                tries: tries, settings: settings, earliestRetry: .seconds(bound / 4), jitter: jitter)
            return delay?.seconds ?? -1
        }
        expectLess(abs(wait(0) - bound / 2), than: 1e-6)
        expectLess(abs(wait(0.5) - bound * 0.75), than: 1e-6)
        expect(wait(0.999_999) > bound * 0.999 && wait(0.999_999) <= bound)
    }

    @Test func `never waits less than the server asks for, whatever the jitter`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2000 {
            let requestedWait = Duration.seconds(Double.random(in: 0...3600, using: &random))
            let delay = RetryDelay.afterFailure(
                tries: Int.random(in: 1...12, using: &random), settings: .sample(maxTries: 0),
                earliestRetry: requestedWait,
                jitter: Double.random(in: 0..<1, using: &random))
            expectAtLeast(delay ?? .zero, requestedWait)
        }
    }
}
