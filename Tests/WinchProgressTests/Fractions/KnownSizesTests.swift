import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress

@Suite struct `Unknown sizes in a queue` {
    @Test func `are estimated as the mean of the known sizes`() {
        var known = KnownSizes()
        expectNil(known.mean)
        for size in [10, 20, 60] as [Int64] { known.insert(ByteCount(bytes: size)) }
        expectEqual(known.mean, 30)
        known.remove(ByteCount(bytes: 60))
        expectEqual(known.mean, 15)
    }

    @Test func `are estimated without outliers`() {
        var known = KnownSizes()
        for size in [10, 20, 20, 150, 1 << 40] as [Int64] { known.insert(ByteCount(bytes: size)) }
        expectEqual(known.mean, 72)
        for _ in 0..<5000 { known.insert(ByteCount(bytes: .max)) }
        expectEqual(known.mean.map { abs($0 / 9.2e18 - 1) < 0.01 }, true)
    }

    @Test func `leave a part to fetch once bytes have arrived, however many`() {
        var progress = QueueProgress()
        let guess = Contribution(have: .zero, size: .unknown(estimate: ByteCount(bytes: 20)))
        for _ in 0..<3 { progress.replace(nil, with: QueueProgress.Entry(contribution: guess, settled: nil)) }
        expectEqual(progress.left(mean: 210), 630)
        let much = Contribution(have: ByteCount(bytes: 1000), size: .unknown(estimate: ByteCount(bytes: 2000)))
        progress.replace(
            QueueProgress.Entry(contribution: guess, settled: nil),
            with: QueueProgress.Entry(contribution: much, settled: nil))
        expectEqual(progress.left(mean: 210), 252)
        progress.replace(nil, with: .unstarted)
        expectEqual(progress.left(mean: 210), 462)
        let exact = Contribution(have: .zero, size: .declared(ByteCount(bytes: 300)))
        progress.replace(
            QueueProgress.Entry(contribution: much, settled: nil),
            with: QueueProgress.Entry(contribution: exact, settled: nil))
        expectEqual(progress.left(mean: 210), 300 + 420 + 210)
    }
}
