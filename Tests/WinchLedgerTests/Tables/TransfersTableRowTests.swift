import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchLedger
@testable import WinchModel

@Suite struct `A row of the table of transfers` {
    @Test func `has the columns of the schema, each once`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try Schema.update(database, from: 0)
        let columns: [String] = try database.values("SELECT name FROM pragma_table_info('transfers')")
        expectEqual(Set(TransfersTableRow.columns), Set(columns))
        expectEqual(TransfersTableRow.columns.count, columns.count)
    }

    @Test func `holds one validator, a tag or a date`() {
        let (tagged, dated) = (Validator.strongETag("x").columns, Validator.lastModified("d").columns)
        expect(tagged.etag == "x" && tagged.lastModified == nil)
        expect(dated.etag == nil && dated.lastModified == "d")
        expectEqual(Validator(etag: "x", lastModified: "d"), .strongETag("x"))
        expectNil(Validator(etag: nil, lastModified: nil))
    }
}

@Suite struct `Ranges of bytes as text` {
    @Test(
        arguments: [
            ("", []), ("0-0", [0..<1]), ("0-1233", [0..<1234]), ("0-1233,2000-2999", [0..<1234, 2000..<3000]),
            ("5-9", [5..<10]), ("0-", []), ("0--3", []), ("9-5", []), ("0-9223372036854775807", []),
            ("0-9223372036854775806", [0..<Int64.max]), ("0-4,", []), ("nonsense", []),
        ] as [(String, [Range<Int64>])])
    func `keeps the ranges that are on disk`(text: String, ranges: [Range<Int64>]) {
        expectEqual(RangesText.decode(text), ByteRanges(ranges))
        if !ranges.isEmpty { expectEqual(RangesText.encode(ByteRanges(ranges)), text) }
    }
}
