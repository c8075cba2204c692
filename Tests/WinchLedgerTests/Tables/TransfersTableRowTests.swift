import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `A row of the table of transfers` {
    @Test func `has the columns of the schema, each once`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try Schema.migrate(database)
        let columns: [String] = try database.values("SELECT name FROM pragma_table_info('transfers')")
        #expect(Set(TransfersTableRow.columns) == Set(columns))
        #expect(TransfersTableRow.columns.count == columns.count)
    }

    @Test func `has a value for each column`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try Schema.migrate(database)
        let entry = try makeEntry(1)
        // A wrong number of values is refused.
        try database.statement(TransfersTableRow.insertion).run {
            TransfersTableRow.bind(entry, run: 1, settings: 1, to: &$0)
        }
        #expect(database.changedRows == 1)
    }

    @Test func `holds one validator, a tag or a date`() {
        let (tagged, dated) = (Validator.strongETag("x").columns, Validator.lastModified("d").columns)
        #expect(tagged.etag == "x" && tagged.lastModified == nil)
        #expect(dated.etag == nil && dated.lastModified == "d")
        #expect(Validator(etag: "x", lastModified: "d") == .strongETag("x"))
        #expect(Validator(etag: nil, lastModified: nil) == nil)
    }

    @Test func `keeps how sure a size is`() {
        let size = ByteCount(bytes: 7)
        let all: [SizeKnowledge?] = [.unknown(estimate: size), .probed(size), .declared(size), .exact(size), nil]
        #expect((0...4).map { SizeKnowledge(confidence: $0, size: size) } == all)
    }
}
