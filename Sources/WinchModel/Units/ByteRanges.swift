/// Bytes of a file by their positions: ranges, ascending, that neither overlap nor touch.
///
/// By hand, because the layout of the standard library's `RangeSet` is not known when Winch is compiled: every value with one
/// in it, reports and rows included, would be copied by tables that the runtime looks up each time. The first range is stored
/// in place, since the bytes of most files have no gap.
package struct ByteRanges: Hashable, Sendable {
    /// Empty, and then 0..<0, if there is none.
    private var first: Range<Int64>
    private var rest: [Range<Int64>] = []

    package init() { first = 0..<0 }

    package init(_ range: Range<Int64>) { first = range.isEmpty ? 0..<0 : range }

    /// - Parameter ranges: in any order; they may overlap.
    package init(_ ranges: some Sequence<Range<Int64>>) {
        self.init()
        for range in ranges { insert(contentsOf: range) }
    }

    /// The bytes from the start of the file.
    ///
    /// - Parameter count: below zero: none.
    package init(prefix count: ByteCount) { self.init(0..<Swift.max(0, count.bytes)) }

    package var isEmpty: Bool { first.isEmpty }

    package var ranges: [Range<Int64>] {
        get { first.isEmpty ? [] : [first] + rest }
        set {
            first = newValue.first ?? 0..<0
            rest = Array(newValue.dropFirst())
        }
    }

    /// Bytes in all ranges.
    package var byteCount: ByteCount {
        ByteCount(bytes: rest.reduce(first.upperBound &- first.lowerBound) { $0 &+ ($1.upperBound &- $1.lowerBound) })
    }

    /// Bytes from 0 on without a gap.
    package var prefixEnd: Int64 { first.lowerBound == 0 ? first.upperBound : 0 }

    /// The end of the last range; 0 without any.
    package var end: Int64 { rest.last?.upperBound ?? first.upperBound }

    /// There are bytes behind the prefix.
    package var hasGap: Bool { prefixEnd != end }
}

extension ByteRanges {
    package mutating func insert(contentsOf range: Range<Int64>) {
        guard !range.isEmpty else { return }
        guard !first.isEmpty else { return first = range }
        if rest.isEmpty, range.lowerBound <= first.upperBound, first.lowerBound <= range.upperBound {
            first = Self.hull(first, range)
            return
        }
        var ranges = ranges
        let start = ranges.partitioningIndex { $0.upperBound >= range.lowerBound }
        let end = ranges.partitioningIndex { $0.lowerBound > range.upperBound }
        let whole = ranges[start..<end].reduce(range) { Self.hull($0, $1) }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(whole))
        self.ranges = ranges
    }

    package mutating func remove(contentsOf range: Range<Int64>) {
        guard !range.isEmpty, !isEmpty else { return }
        var ranges = ranges
        let start = ranges.partitioningIndex { $0.upperBound > range.lowerBound }
        let end = ranges.partitioningIndex { $0.lowerBound >= range.upperBound }
        guard start < end else { return }
        let (left, right) = (ranges[start], ranges[end - 1])
        var kept: [Range<Int64>] = []
        if left.lowerBound < range.lowerBound { kept.append(left.lowerBound..<range.lowerBound) }
        if range.upperBound < right.upperBound { kept.append(range.upperBound..<right.upperBound) }
        ranges.replaceSubrange(start..<end, with: kept)
        self.ranges = ranges
    }

    package mutating func formUnion(_ other: ByteRanges) { for range in other.ranges { insert(contentsOf: range) } }

    package mutating func subtract(_ other: ByteRanges) { for range in other.ranges { remove(contentsOf: range) } }

    package func union(_ other: ByteRanges) -> ByteRanges {
        var union = self
        union.formUnion(other)
        return union
    }

    package func intersection(_ other: ByteRanges) -> ByteRanges {
        let (mine, theirs) = (ranges, other.ranges)
        var (common, place): ([Range<Int64>], Int) = ([], 0)
        for range in mine {
            while place < theirs.count, theirs[place].upperBound <= range.lowerBound { place += 1 }
            for candidate in theirs[place...] {
                guard candidate.lowerBound < range.upperBound else { break }
                common.append(range.clamped(to: candidate))
            }
        }
        var result = ByteRanges()
        result.ranges = common
        return result
    }

    package func isSubset(of other: ByteRanges) -> Bool {
        if rest.isEmpty, other.rest.isEmpty {
            return first.isEmpty
                || first.lowerBound >= other.first.lowerBound && first.upperBound <= other.first.upperBound
        }
        return intersection(other) == self
    }

    private static func hull(_ left: Range<Int64>, _ right: Range<Int64>) -> Range<Int64> {
        min(left.lowerBound, right.lowerBound)..<max(left.upperBound, right.upperBound)
    }
}

// By hand, because this is all that would be used of swift-algorithms, which adds 20 seconds to a release build and 1.8 MB to
// the program.

extension Array {
    /// The first index at which `predicate` holds, in an array in which it holds for every later element too; else `count`.
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
