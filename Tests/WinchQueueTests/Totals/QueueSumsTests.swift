import TestSupport
import Testing

@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

@Suite struct `The sums of a queue` {
    private func share(_ have: Int64, of size: Int64?) -> QueueSums.Share {
        let size: SizeKnowledge = size.map { .declared(ByteCount($0)) } ?? .unknown(estimate: ByteCount(2 * have))
        return QueueSums.Share(
            entry: QueueProgress.Entry(contribution: Contribution(have: ByteCount(have), size: size), settled: nil),
            size: size.known)
    }

    @Test func `estimate transfers that have not begun from the known sizes`() {
        var sums = QueueSums()
        sums.replace(nil, with: QueueSums.Share(entry: .unstarted, size: nil), in: .down)
        expect(sums[.down].total == KnownSizes.firstGuess.bytes && sums.left == nil)
        sums.replace(nil, with: share(0, of: 700), in: .down)
        expectEqual(sums[.down].total, 1400)
        expectEqual(sums.left, QueueLeft(bytes: 1400, files: 2))
        sums.replace(share(0, of: 700), with: nil, in: .down)
        expectEqual(sums[.down].total, KnownSizes.firstGuess.bytes)
    }
}
