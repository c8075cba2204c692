import TestSupport
import Testing

@testable import WinchModel

@Suite struct `The queue's copy` {
    private static func row(_ number: Int) -> TransferSnapshot {
        TransferSnapshot(
            id: TransferID(number), name: "f\(number)", host: "example.org", urls: MirrorList([]), folder: "in",
            phase: .paused, have: ByteCount(bytes: 0), size: .unknown(estimate: ByteCount(bytes: 0)))
    }

    private static func rows(_ numbers: some Sequence<Int>) -> [TransferID: TransferSnapshot] {
        Dictionary(numbers.map { (TransferID($0), row($0)) }) { $1 }
    }

    @Test(arguments: 0..<20)
    func `has the rows that it was told of, whatever their numbers`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var copy = QueueCopy()
        var known: Set<Int> = []
        for step in 0..<300 {
            let new = (0..<3).map { _ in Int.random(in: 1...20_000, using: &random) }
            let gone = known.sorted().shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
            copy.apply(
                Update(
                    base: step, number: step + 1, rows: Self.rows(new), removed: gone.map { TransferID($0) },
                    at: Moment(seconds: 0)))
            known.subtract(gone)
            known.formUnion(new)
            expectEqual(copy.count, known.count)
            expect(known.allSatisfy { copy.row(TransferID($0))?.name == "f\($0)" })
            expect(gone.allSatisfy { known.contains($0) || copy.row(TransferID($0)) == nil })
        }
    }

    @Test func `takes no room for the numbers before its first row`() {
        var copy = QueueCopy()
        for step in 0..<100 {
            let first = 30_000_000 + 500 * step
            copy.apply(
                Update(
                    base: step, number: step + 1, rows: Self.rows(first..<first + 500),
                    removed: (first - 1000..<first - 500).map { TransferID($0) }, at: Moment(seconds: 0)))
        }
        expectEqual(copy.count, 1000)
        expectAtMost(copy.places.count, 10_000)
        for number in [1, 30_000_000, Int.min, Int.max] { expectNil(copy.row(TransferID(number))) }
    }
}
