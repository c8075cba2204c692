import WinchModel

/// Ranges of bytes as text: inclusive positions as HTTP writes them, `0-1233,2000-2999`; empty for none.
///
/// - Source: RFC 9110, section 14.1.2.
enum RangesText {
    static func encode(_ ranges: ByteRanges) -> String {
        ranges.ranges.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
    }

    /// No bytes for an invalid text.
    static func decode(_ text: String) -> ByteRanges {
        var ranges = ByteRanges()
        for range in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let positions = range.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard positions.count == 2, let first = Int64(Substring(positions[0])),
                let last = Int64(Substring(positions[1])), first >= 0, (first..<Int64.max).contains(last)
            else { return ByteRanges() }
            ranges.insert(contentsOf: first..<last + 1)
        }
        return ranges
    }

    /// For a column that earlier versions know as the number of bytes from the start: that number, unless there are gaps.
    static func column(_ ranges: ByteRanges) -> any SQLiteValue {
        ranges.hasGap ? encode(ranges) : ranges.prefixEnd
    }

    /// As `column`, for a statement that runs for each file.
    static func bind(column ranges: ByteRanges, to binder: inout ArgumentBinder) {
        if ranges.hasGap { binder.bind(encode(ranges)) } else { binder.bind(ranges.prefixEnd) }
    }

    /// - Parameter column: as `column` returns it, as text.
    static func decode(column: String) -> ByteRanges {
        Int64(column).map { ByteRanges(prefix: ByteCount(bytes: $0)) } ?? decode(column)
    }
}
