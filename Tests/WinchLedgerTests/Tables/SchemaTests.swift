import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchLedger
@testable import WinchModel

@Suite struct `A ledger of another version` {
    /// As version 10 has marked it.
    private static let migrations = """
        PRAGMA application_id = 0; PRAGMA user_version = 0; DROP TABLE sums;
        ALTER TABLE runs DROP COLUMN isListUnread;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES
            ('1-queue'), ('2-history'), ('3-details'), ('4-run-options'), ('5-hosts'), ('6-uploads'), ('7-replies'),
            ('8-pieces'), ('9-size'), ('10-folders');
        """

    private func change(_ folder: TemporaryFolder, _ sql: String) throws {
        folder.makeFolder("state")
        folder.makeFolder("state/winch")
        let database = try SQLiteConnection(path: folder.state + "/ledger.sqlite")
        try database.execute(sql)
        try database.close()
    }

    @Test(arguments: [migrations, "PRAGMA user_version = 11; ALTER TABLE runs DROP COLUMN isListUnread;"])
    func `keeps all its data from version 10 on`(marks: String) async throws {
        let folder = try TemporaryFolder()
        let entries = [try makeEntry(1), try makeEntry(2, .failed(.httpStatus(404))), try makeEntry(3, .cancelled)]
        let options = [NameValueLine(name: "jobs", value: "9")]
        let (old, _) = try folder.openLedger()
        old.keep(options)
        old.record(entries.map(LedgerChange.put))
        await old.close()
        try change(folder, marks + "CREATE TABLE hosts (host TEXT PRIMARY KEY) WITHOUT ROWID")

        let past = [3, 2].map { LedgerKey($0) }
        try expectEqual(Ledger.history(stateFolder: folder.state, HistoryQuery()).map(\.key), past)
        for _ in 0..<2 {
            let (ledger, opening) = try folder.openLedger()
            expectNil(opening.warning)
            expectEqual(opening.unfinished, entries)
            expectEqual(opening.options, options)
            try expectEqual(ledger.history(HistoryQuery()).map(\.key), past)
            let obsolete: [String] = try ledger.work { db in
                try db.values("SELECT name FROM sqlite_master WHERE name IN ('grdb_migrations', 'hosts')")
            }
            expectEqual(obsolete, [])
            await ledger.close()
        }
    }

    @Test(
        arguments: [
            (#"json_remove(json, '$.usesNetrc')"#, nil),
            (#"json_set(json_remove(json, '$.loginOrigins'), '$.loginHosts', json('["a:443"]'))"#, []),
        ] as [(String, [String]?)])
    func `has settings with the new ones at their defaults, and a login of hosts goes nowhere`(
        earlier: String, origins: [String]?
    ) async throws {
        let folder = try TemporaryFolder()
        var settings = TransferSettings()
        (settings.user, settings.loginOrigins) = ("s3cr3t-user", origins == nil ? nil : ["https://a:443"])
        settings.split = .atMost(8)
        try await folder.leave([.put(try makeEntry(1, .unfinished, settings: Shared(settings)))])
        try change(folder, "UPDATE settings SET json = \(earlier);" + Self.migrations)
        let kept = try await require(folder.leftover().first?.spec.settings)
        settings.loginOrigins = origins
        expectEqual(kept.value, settings)
    }

    @Test func `is renamed, and a new one is created, if it is older`() async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([.put(try makeEntry(1))])
        try change(folder, Self.migrations + "DELETE FROM grdb_migrations WHERE identifier = '10-folders'")
        let bytes = try folder.bytes("state/winch/ledger.sqlite")
        let failure = LedgerFailure.unreadable(
            folder.state + "/ledger.sqlite", fault: "was written by an older Winch")
        #expect(throws: failure) { try Ledger.history(stateFolder: folder.state, HistoryQuery()) }
        try expectEqual(folder.bytes("state/winch/ledger.sqlite"), bytes)

        let (ledger, opening) = try folder.openLedger()
        let aside = "ledger.sqlite.old-20261121T181353Z"
        expectEqual(
            opening.warning,
            """
            the ledger was written by an older Winch; it was renamed to \(folder.state)/\(aside), and a new one was created
            """)
        expect(opening.unfinished.isEmpty)
        try expectEqual(folder.bytes("state/winch/" + aside), bytes)
        await ledger.close()
    }

    @Test(arguments: [migrations + "INSERT INTO grdb_migrations VALUES ('11-later')", "PRAGMA user_version = 1000"])
    func `stays unchanged if it is later`(sql: String) async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([.put(try makeEntry(1))])
        try change(folder, sql)
        let bytes = try folder.bytes("state/winch/ledger.sqlite")
        let failure = LedgerFailure.newer(folder.state + "/ledger.sqlite")
        #expect(throws: failure) { try folder.openLedger() }
        #expect(throws: failure) { try Ledger.history(stateFolder: folder.state, HistoryQuery()) }
        try expectEqual(folder.bytes("state/winch/ledger.sqlite"), bytes)
        expectEqual(TemporaryFolder.names(in: folder.state).filter { $0.contains(".old-") }, [])
    }

    @Test(arguments: [
        "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, words TEXT)",
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL); INSERT INTO grdb_migrations VALUES ('notes')",
    ])
    func `is distinguished from the database of another program, which stays unchanged`(sql: String) throws {
        let folder = try TemporaryFolder()
        try change(folder, sql)
        let bytes = try folder.bytes("state/winch/ledger.sqlite")
        let failure = LedgerFailure.unusable(
            folder.state + "/ledger.sqlite", reason: "it is a database of another program")
        #expect(throws: failure) { try folder.openLedger() }
        #expect(throws: failure) { try Ledger.history(stateFolder: folder.state, HistoryQuery()) }
        try expectEqual(folder.bytes("state/winch/ledger.sqlite"), bytes)
    }
}
