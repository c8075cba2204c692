import Testing

@testable import WinchModel
@testable import WinchProgress

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
        let end = try #require(Self.end(of: Array(repeating: 100, count: 20)))
        #expect(end.seconds <= 0.5)
        #expect(end.since == nil)
    }

    @Test func `lasts while the rate doubles and leaves the samples since the last maximum`() throws {
        let doubling = (0..<8).flatMap { power in Array(repeating: Double(1 << power), count: 3) }
        let end = try #require(Self.end(of: doubling + Array(repeating: 128, count: 20)))
        #expect((2.4..<3).contains(end.seconds))
        #expect(end.since.map { abs($0.rate - 128) < 1e-9 } == true)
    }

    @Test func `never lasts longer than about six seconds`() throws {
        let end = try #require(Self.end(of: (0..<100).map { 100 * Double(1 << ($0 / 2)) }))
        #expect(end.seconds < 6.2)
    }
}
