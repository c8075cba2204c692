import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `The meters of a queue` {
    private let sample = QueueRate.Sample(done: 0, left: QueueLeft(bytes: 1_000_000, files: 1))
    private let start = Moment(seconds: 100)

    /// At 1,000 bytes a tenth of a second, for the given ticks.
    private func run(_ meters: inout QueueRate, ticks: Range<Int>) -> [RateHistory.Second] {
        ticks.compactMap { tick in
            meters.arrived(ByteCount(bytes: 1000))
            return meters.tick(sample, running: [], at: start + .milliseconds(100 * tick))
        }
    }

    @Test func `show the rate and end of a steady stream`() throws {
        var meters = QueueRate()
        meters.record(sample, at: start)
        let seconds = run(&meters, ticks: 1..<50)
        let now = start + .milliseconds(4900)
        try expectLess(abs(require(meters.rate(at: now)).perSecond - 10_000), than: 1)
        expectEqual(seconds.map(\.number), [100, 101, 102, 103])
        expectEqual(meters.moved, ByteCount(bytes: 49_000))
        expect(meters.finish(of: ByteCount(bytes: 1_000_000), at: now) != nil)
    }

    @Test func `start over when all transfers are settled, and keep the byte count`() {
        var meters = QueueRate()
        meters.record(sample, at: start)
        _ = run(&meters, ticks: 1..<50)
        let last = meters.end(at: start + .seconds(5))
        expectEqual(last?.number, 104)
        expect(meters.awaitsSample && meters.moved == ByteCount(bytes: 49_000))
    }
}
