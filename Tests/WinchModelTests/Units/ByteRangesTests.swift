import TestSupport
import Testing

@testable import WinchModel

@Suite struct `Ranges of bytes` {
    /// Small positions, so that ranges overlap, touch and repeat.
    private func range(_ random: inout SplitMix64) -> Range<Int64> {
        let start = Int64.random(in: -5..<60, using: &random)
        return start..<start + Int64.random(in: 0..<12, using: &random)
    }

    private func set(_ random: inout SplitMix64) -> (ByteRanges, RangeSet<Int64>) {
        let ranges = (0..<Int.random(in: 0..<8, using: &random)).map { _ in range(&random) }
        return (ByteRanges(ranges), RangeSet(ranges))
    }

    @Test(arguments: UInt64(0)..<20)
    func `are the same set as the standard library's after any operations`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (mine, theirs) = set(&random)
        for _ in 0..<500 {
            let (range, other) = (range(&random), set(&random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                mine.insert(contentsOf: range)
                theirs.insert(contentsOf: range)
            case 2:
                mine.remove(contentsOf: range)
                theirs.remove(contentsOf: range)
            case 3:
                mine.formUnion(other.0)
                theirs.formUnion(other.1)
            case 4: (mine, theirs) = (mine.intersection(other.0), theirs.intersection(other.1))
            default: (mine, theirs) = other
            }
            expect(mine.ranges.elementsEqual(theirs.ranges))
            expect(mine == ByteRanges(theirs.ranges) && mine.isEmpty == theirs.isEmpty)
            expectEqual(mine.isSubset(of: other.0), theirs.isSubset(of: other.1))
            expect(mine.isSubset(of: mine.union(other.0)))
            expectEqual(mine.byteCount.bytes, theirs.ranges.reduce(0) { $0 + Int64($1.count) })
            expectEqual(mine.end, theirs.ranges.last?.upperBound ?? 0)
        }
    }

    @Test(
        arguments: [
            ([], 0, false), ([0..<5], 5, false), ([0..<5, 5..<9], 9, false), ([0..<5, 6..<9], 5, true),
            ([2..<5], 0, true),
        ] as [([Range<Int64>], Int64, Bool)])
    func `begin with the bytes before the first gap`(ranges: [Range<Int64>], prefixEnd: Int64, hasGap: Bool) {
        expectEqual(ByteRanges(ranges).prefixEnd, prefixEnd)
        expectEqual(ByteRanges(ranges).hasGap, hasGap)
    }

    @Test func `of a prefix below zero are none`() {
        expectEqual(ByteRanges(prefix: ByteCount(bytes: -1)), ByteRanges())
        expectEqual(ByteRanges(prefix: ByteCount(bytes: 3)).ranges, [0..<3])
    }

    @Test func `are counted at the limits of positions without a trap`() {
        var whole = ByteRanges(0..<Int64.max)
        whole.remove(contentsOf: 5..<Int64.max)
        whole.insert(contentsOf: Int64.max - 1..<Int64.max)
        expectEqual(whole.ranges, [0..<5, Int64.max - 1..<Int64.max])
        expectEqual(ByteRanges(Int64.min..<Int64.max).byteCount.bytes, -1)
    }
}
