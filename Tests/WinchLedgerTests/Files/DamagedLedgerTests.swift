import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `A damaged ledger` {
    /// Ways to damage a file.
    enum Damage: CaseIterable {
        case garbage, cutInHalf, cutToAPage, overwrittenInTheMiddle, otherTables, noTables

        func apply(to folder: TemporaryFolder) throws {
            let name = "state/winch/ledger.sqlite"
            var bytes = try folder.bytes(name)
            switch self {
            case .garbage: bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            case .cutInHalf: bytes = Array(bytes.prefix(bytes.count / 2))
            case .cutToAPage: bytes = Array(bytes.prefix(4096))
            case .overwrittenInTheMiddle: for place in 4096..<bytes.count - 4096 { bytes[place] = 0xA5 }
            case .otherTables:
                let database = try SQLiteConnection(path: folder.path + "/" + name)
                try database.execute("DROP TABLE transfers; CREATE TABLE transfers (a)")
                return
            case .noTables:
                let database = try SQLiteConnection(path: folder.path + "/" + name)
                try database.execute("DROP TABLE runs")
                return
            }
            folder.write(name, bytes)
        }
    }

    @Test(arguments: Damage.allCases)
    func `is renamed, and a new one is created`(damage: Damage) async throws {
        let folder = try TemporaryFolder()
        try await folder.leave(try (1...500).map { .put(try makeEntry($0)) })
        try damage.apply(to: folder)
        let damaged = try folder.bytes("state/winch/ledger.sqlite")

        let (ledger, opening) = try folder.openLedger()
        #expect(opening.unfinished.isEmpty)
        let aside = "ledger.sqlite.damaged-20261121T181353Z"
        let warning = try #require(opening.warning)
        #expect(warning.contains("\(folder.state)/\(aside)"))
        #expect(TemporaryFolder.names(in: folder.state).contains(aside))
        #expect(try folder.bytes("state/winch/" + aside) == damaged)
        ledger.record([.put(try makeEntry(7))])
        await ledger.close()
        #expect(try await folder.leftover().map(\.key.number) == [7])
    }

    @Test func `is not the same as an empty one`() async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([])
        folder.write("state/winch/ledger.sqlite", [])
        let (ledger, opening) = try folder.openLedger()
        #expect(opening.warning == nil)
        await ledger.close()
    }

    @Test func `is renamed without replacing an earlier one of the same second`() async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([])
        for count in 1...3 {
            folder.write("state/winch/ledger.sqlite", Array(repeating: 1, count: 5000))
            try await folder.leave([])
            #expect(TemporaryFolder.names(in: folder.state).filter { $0.contains("damaged") }.count == count)
        }
    }

    /// A process that has it open would delete the new file's journal when closing.
    @Test func `is not renamed while another run has it open`() async throws {
        let folder = try TemporaryFolder()
        let (other, _) = try folder.openLedger()
        other.record([.put(try makeEntry(1))])
        #expect(try other.history(HistoryQuery()).isEmpty)
        // All changes are in the file itself, which is damaged next.
        try other.store.database.withoutTransaction { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        folder.write("state/winch/ledger.sqlite", Array(repeating: 1, count: 5000))
        #expect(throws: LedgerFailure.damagedInUse(folder.state + "/ledger.sqlite")) { try folder.openLedger() }
        #expect(!TemporaryFolder.names(in: folder.state).contains { $0.contains("damaged") })
        await other.close()
    }

    /// A faulty statement of a later version must not empty every user's queue.
    @Test func `is not assumed after a faulty statement if the tables are intact`() async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([.put(try makeEntry(1))])
        let opener = DatabaseOpener(files: LedgerFiles(folder: folder.state))
        let refusal = { () -> DatabaseOpener.Refusal? in
            do throws(DatabaseOpener.Refusal) {
                try opener.refusing { throw SQLiteError(code: 1, message: "near FORM: syntax error") }
                return nil
            } catch {
                return error
            }
        }
        guard case .failed(.unusable(_, "near FORM: syntax error")) = refusal() else {
            Issue.record("\(String(describing: refusal()))")
            return
        }
        try Damage.noTables.apply(to: folder)
        guard case .damaged = refusal() else {
            Issue.record("\(String(describing: refusal()))")
            return
        }
    }

    @Test func `is reported by the history and renamed only by the next run`() async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([])
        folder.write("state/winch/ledger.sqlite", Array(repeating: 1, count: 5000))
        #expect(throws: LedgerFailure.damaged(folder.state + "/ledger.sqlite")) {
            try Ledger.history(stateFolder: folder.state, HistoryQuery())
        }
        #expect(!TemporaryFolder.names(in: folder.state).contains { $0.contains("damaged") })
    }

    @Test(arguments: [
        "urls = 'file:///etc/passwd'", "urls = ''", "direction = 'sideways'", "standing = 'odd'", "confidence = 7",
        "settings = 99", "checksum = 'md5=xyz'", "settings = (SELECT id FROM settings WHERE json = 'odd')",
    ])
    func `loses entries with invalid values and keeps the others`(change: String) async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([.put(try makeEntry(1)), .put(try makeEntry(2))])
        do {
            let database = try SQLiteConnection(path: folder.state + "/ledger.sqlite")
            if change.contains("odd'") { try database.execute("INSERT INTO settings (json) VALUES ('odd')") }
            try database.execute("UPDATE transfers SET \(change) WHERE key = 1")
        }
        let (ledger, opening) = try folder.openLedger()
        #expect(opening.unfinished.map(\.key.number) == [2])
        #expect(opening.warning == "invalid entries of the ledger were dropped: 1")
        await ledger.close()
        let (again, next) = try folder.openLedger()
        #expect(next.warning == nil)
        await again.close()
    }

    @Test(arguments: [
        "rank = 'x'", "have = 1", "ranges = 'x'", "durable = -5", "partPath = '../../etc/passwd'", "outName = '/abs'",
        "name = x'FF00FE'", "attempts = NULL", "total = 'many'", "settledAt = 'never'",
    ])
    func `does not trap on unexpected values`(change: String) async throws {
        let folder = try TemporaryFolder()
        var entry = try makeEntry(1)
        entry.resume = ResumePoint(partPath: "a.part", targetPath: "a", have: ByteCount(bytes: 10))
        try await folder.leave([.put(entry)])
        do {
            let database = try SQLiteConnection(path: folder.state + "/ledger.sqlite")
            // The table itself refuses some of them.
            try? database.execute("UPDATE transfers SET \(change)")
        }
        let list = try await folder.leftover()
        #expect(list.count == 1)
        #expect(list.first?.resume?.partPath != "../../etc/passwd")
        #expect(list.first?.resume?.durable.ranges.first?.lowerBound ?? 0 >= 0)
        #expect(list.first?.spec.name == nil)
    }
}
