extension RangeSet<Int64> {
    /// Bytes from 0 on without a gap.
    var prefixEnd: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// There are bytes behind the prefix.
    var hasGap: Bool { ranges.count > 1 || prefixEnd == 0 && !isEmpty }
}
