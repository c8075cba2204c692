import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `A rate-limited transfer` {
    @Test func `may continue once enough time has passed for the bytes received`() {
        let start = Moment(seconds: 100)
        var pacer = ConnectionRateLimiter(limit: ByteRate(perSecond: 1000), at: start)
        expectNil(pacer.release(at: start))
        pacer.take(500, at: start)
        expectEqual(pacer.release(at: start), start + .seconds(0.5))
        expectEqual(pacer.release(at: start + .seconds(0.25)), start + .seconds(0.5))
        expectNil(pacer.release(at: start + .seconds(0.5)))
    }

    @Test func `accumulates no more than a moment of credit while it is idle`() {
        let start = Moment(seconds: 100)
        var pacer = ConnectionRateLimiter(limit: ByteRate(perSecond: 1000), at: start)
        pacer.take(1000, at: start + .seconds(60))
        expectEqual(pacer.release(at: start + .seconds(60)), start + .milliseconds(60_980))
    }

    /// Also when the loop that resumes it wakes up 2 ms late each time.
    @Test(arguments: [50_000.0, 10_000_000, 1_000_000_000])
    func `stays at the limit over any number of pieces`(rate: Double) {
        var now = Moment(seconds: 0)
        var pacer = ConnectionRateLimiter(limit: ByteRate(perSecond: rate), at: now)
        let pieces = Int(rate / 1000)
        for _ in 0..<pieces {
            pacer.take(16_384, at: now)
            if let due = pacer.release(at: now) { now = due + .milliseconds(2) }
        }
        let fair = Double(pieces) * 16_384 / rate
        expectMore((now - Moment(seconds: 0)).seconds, than: fair * 0.95 - 0.02)
        expectLess((now - Moment(seconds: 0)).seconds, than: fair * 1.05 + 0.02)
    }

    @Test(arguments: [1e-9, 1e-300, Double.leastNonzeroMagnitude])
    func `waits for years under a limit of next to nothing`(rate: Double) throws {
        let start = Moment(seconds: 100)
        var pacer = ConnectionRateLimiter(limit: ByteRate(perSecond: rate), at: start)
        pacer.take(1 << 40, at: start)
        try expectMore(require(pacer.release(at: start)), than: start + .seconds(100 * 86_400))
    }

    @Test func `is released when the limit is lifted and owes nothing when it is set again`() {
        let start = Moment(seconds: 0)
        var pacer = ConnectionRateLimiter(limit: ByteRate(perSecond: 10), at: start)
        pacer.take(1000, at: start)
        pacer.limit(to: nil, at: start)
        expectNil(pacer.release(at: start))
        pacer.take(1_000_000, at: start)
        pacer.limit(to: ByteRate(perSecond: 10), at: start + .seconds(100))
        expectNil(pacer.release(at: start + .seconds(100)), "what came without a limit is no debt")
    }

    @Test func `owes what is left by the old limit when another is set`() {
        let start = Moment(seconds: 0)
        var pacer = ConnectionRateLimiter(limit: ByteRate(perSecond: 10), at: start)
        pacer.take(1000, at: start)
        pacer.limit(to: ByteRate(perSecond: 100), at: start + .seconds(50))
        expectEqual(pacer.release(at: start + .seconds(50)), start + .seconds(55))
        pacer.limit(to: ByteRate(perSecond: 1), at: start + .seconds(54))
        expectEqual(pacer.release(at: start + .seconds(54)), start + .seconds(154))
    }
}
