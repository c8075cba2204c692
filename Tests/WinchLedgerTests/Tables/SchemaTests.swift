import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `A ledger of an earlier version` {
    private func make(_ folder: TemporaryFolder, _ sql: String) throws {
        folder.makeFolder("state")
        folder.makeFolder("state/winch")
        let database = try SQLiteConnection(path: folder.state + "/ledger.sqlite")
        try database.execute(sql)
        try database.close()
    }

    @Test(arguments: [OldLedgers.first, OldLedgers.second, OldLedgers.third, OldLedgers.fourth, OldLedgers.fifth])
    func `is migrated to the current version`(sql: String) async throws {
        let folder = try TemporaryFolder()
        try make(folder, sql)
        let (ledger, opening) = try folder.openLedger(now: UnixTime(milliseconds: 1_795_000_004_000))
        expectNil(opening.warning)
        expectEqual(opening.firstKey, LedgerKey(4 << 32))
        expect(opening.allowances.map(\.connections) == (sql == OldLedgers.fifth ? [3] : []))
        expectEqual(opening.unfinished.map(\.key.number), [12_884_901_890, 12_884_901_889, 12_884_901_891])
        expectEqual(
            opening.unfinished.map(\.standing),
            [
                .failed(.httpStatus(404)), .unfinished, .finished(.saved(path: "z (1)")),
            ])

        let entry = opening.unfinished[1]
        expectEqual(entry.spec.urls.map(\.text), ["http://me:pw@a/x", "http://b/x"])
        expectEqual(entry.spec.folder, "/got")
        let settings = entry.spec.settings.value
        expectEqual(settings.checksum, Checksum("md5=d41d8cd98f00b204e9800998ecf8427e"))
        expectEqual(settings.headers, ["X-A: 1"])
        expectEqual(settings.maxTries, 7)
        expectEqual(settings.connectTimeout, .seconds(15))
        expectEqual(settings.stallTimeout, .seconds(30))
        var resume = ResumePoint(
            partPath: "x.part", targetPath: "x", have: ByteCount(bytes: 10), total: ByteCount(bytes: 100),
            validator: .strongETag("\"tag\""))
        resume.durable = ByteRanges(0..<8)
        expectEqual(entry.resume, resume)
        expectEqual(entry.size, .declared(ByteCount(bytes: 100)))
        expectEqual(entry.startedAt, UnixTime(milliseconds: 1_795_000_001_000))
        expectEqual(opening.unfinished[0].spec.name?.text, "sub/y")

        expectNil(entry.worked)
        expectNil(entry.warning)

        // The columns and tables that it did not have can be written.
        let attempt = StoredAttempt(number: 2, host: "a", began: noon, outcome: .complete)
        ledger.record([.detailed(entry.key, StoredDetails(attempts: [attempt]))])
        let details = await ledger.details(of: entry.key)
        expectEqual(details?.attempts.last, attempt)
        expect(details?.attempts.count == ([OldLedgers.first, OldLedgers.second].contains(sql) ? 1 : 2))

        let history = try ledger.history(HistoryQuery())
        expectEqual(history.map(\.name), ["z (1)", "sub/y"])
        expectEqual(history.map(\.url), ["http://a/z", "http://a/y"])
        expectEqual(history.map(\.size), [ByteCount(bytes: 50), nil])
        expectEqual(history.map(\.received.bytes), [60, 0])
        expectEqual(history.map(\.duration), [.seconds(2), .seconds(1)])
        expectEqual(history.map(\.outcome), [.finished(.saved(path: "z (1)")), .failed(.httpStatus(404))])
        await ledger.close()
    }

    /// A new migration needs a new fixture.
    @Test func `exists as a fixture for every version`() throws {
        let folder = try TemporaryFolder()
        try make(folder, OldLedgers.tenth)
        let database = try SQLiteConnection(path: folder.state + "/ledger.sqlite")
        let migrations = [
            "1-queue", "2-history", "3-details", "4-run-options", "5-hosts", "6-uploads", "7-replies", "8-pieces",
            "9-size", "10-folders",
        ]
        try expectEqual(Schema.applied(database), migrations)
        expectEqual(Schema.migrations.map(\.name), migrations)

        // The fixture is what the migrations make.
        let fresh = try SQLiteConnection(path: ":memory:")
        try Schema.migrate(fresh)
        let schema = "SELECT sql FROM sqlite_master WHERE name NOT LIKE '%grdb%' AND sql IS NOT NULL ORDER BY name"
        let made: [String] = try fresh.values(schema)
        let kept: [String] = try database.values(schema)
        let words = { (sql: [String]) in sql.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") } }
        expectEqual(words(made), words(kept))
        expectMore(made.count, than: 4)
    }

    @Test func `can be read by the history without a run`() throws {
        let folder = try TemporaryFolder()
        try make(folder, OldLedgers.first)
        try expectEqual(Ledger.history(stateFolder: folder.state, HistoryQuery(words: ["z"])).map(\.name), ["z (1)"])
    }

    @Test func `is distinguished from one of a later version, which stays unchanged`() throws {
        let folder = try TemporaryFolder()
        try make(folder, OldLedgers.fifth + "INSERT INTO grdb_migrations VALUES ('6-later'); CREATE TABLE later (a);")
        let bytes = try folder.bytes("state/winch/ledger.sqlite")
        let failure = LedgerFailure.newer(folder.state + "/ledger.sqlite")
        #expect(throws: failure) { try folder.openLedger() }
        #expect(throws: failure) { try Ledger.history(stateFolder: folder.state, HistoryQuery()) }
        try expectEqual(folder.bytes("state/winch/ledger.sqlite"), bytes)
        expect(!TemporaryFolder.names(in: folder.state).contains { $0.contains("damaged") })
    }

    @Test func `is distinguished from the database of another program, which stays unchanged`() throws {
        let folder = try TemporaryFolder()
        try make(folder, "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, words TEXT)")
        let bytes = try folder.bytes("state/winch/ledger.sqlite")
        let failure = LedgerFailure.unusable(
            folder.state + "/ledger.sqlite", reason: "it is a database of another program")
        #expect(throws: failure) { try folder.openLedger() }
        #expect(throws: failure) { try Ledger.history(stateFolder: folder.state, HistoryQuery()) }
        try expectEqual(folder.bytes("state/winch/ledger.sqlite"), bytes)
    }
}
