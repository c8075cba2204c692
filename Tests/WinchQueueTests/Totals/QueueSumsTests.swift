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

    @Test func `are separate for each direction`() {
        var sums = QueueSums()
        sums.replace(nil, with: share(10, of: 100), in: .down)
        sums.replace(nil, with: share(20, of: 300), in: .up)
        #expect(sums[.down].total == 100 && sums[.up].total == 300 && sums.count == 2)
        #expect(sums.estimate == ByteCount(100))
    }

    @Test func `estimate transfers that have not begun from the known sizes`() {
        var sums = QueueSums()
        sums.replace(nil, with: QueueSums.Share(entry: .unstarted, size: nil), in: .down)
        #expect(sums[.down].total == KnownSizes.firstGuess.bytes && sums.left == nil)
        sums.replace(nil, with: share(0, of: 700), in: .down)
        #expect(sums[.down].total == 1400)
        #expect(sums.left == QueueLeft(bytes: 1400, files: 2))
        sums.replace(share(0, of: 700), with: nil, in: .down)
        #expect(sums[.down].total == KnownSizes.firstGuess.bytes)
    }

    @Test func `distinguish a step back from a step forward`() {
        var sums = QueueSums()
        sums.replace(nil, with: share(50, of: 100), in: .down)
        sums.moveBar(.down, cause: .added(1))
        let before = sums.snapshot(.down, in: .accurate)
        sums.replace(share(50, of: 100), with: share(60, of: 100), in: .down)
        sums.moveBar(.down, cause: .outgrown)
        let middle = sums.snapshot(.down, in: .accurate)
        #expect(before.step(to: middle).completed == 10 && !before.step(to: middle).isBackwards)
        #expect(middle.step(to: before).isShownBackwards)
    }
}
