/// Positions in a file.
extension RangeSet<Int64> {
    /// Bytes in all ranges.
    package var byteCount: ByteCount { ByteCount(bytes: ranges.reduce(0) { $0 &+ ($1.upperBound &- $1.lowerBound) }) }

    /// Bytes from 0 on without a gap.
    package var prefixEnd: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// The end of the last range; 0 without any.
    package var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// There are bytes behind the prefix.
    package var hasGap: Bool { prefixEnd != end }

    /// The bytes from the start of the file.
    ///
    /// - Parameter count: below zero: none.
    package init(prefix count: ByteCount) { self = RangeSet(0..<Swift.max(0, count.bytes)) }
}
