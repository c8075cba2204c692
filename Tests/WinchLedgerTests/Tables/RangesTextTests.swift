import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchLedger
@testable import WinchModel

@Suite struct `Ranges of bytes as text` {
    @Test(
        arguments: [
            ("", []), ("0-0", [0..<1]), ("0-1233", [0..<1234]), ("0-1233,2000-2999", [0..<1234, 2000..<3000]),
            ("5-9", [5..<10]), ("0-", []), ("0--3", []), ("9-5", []), ("0-9223372036854775807", []),
            ("0-9223372036854775806", [0..<Int64.max]), ("0-4,", []), ("nonsense", []),
        ] as [(String, [Range<Int64>])])
    func `keeps the ranges that are on disk`(text: String, ranges: [Range<Int64>]) {
        #expect(RangesText.decode(text) == ByteRanges(ranges))
        if !ranges.isEmpty { #expect(RangesText.encode(ByteRanges(ranges)) == text) }
    }

    @Test(
        arguments: [
            ("0", []), ("1234", [0..<1234]), ("-5", []), ("0-9,20-29", [0..<10, 20..<30]), ("5-9", [5..<10]),
        ] as [(String, [Range<Int64>])])
    func `are read where an earlier version has kept synced bytes as their number`(
        column: String, ranges: [Range<Int64>]
    ) {
        #expect(RangesText.decode(column: column) == ByteRanges(ranges))
    }
}
