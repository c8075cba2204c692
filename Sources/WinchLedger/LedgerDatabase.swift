import Synchronization
import WinchModel

/// The database of one run: writes recorded changes in transactions.
final class LedgerDatabase: Sendable {
    let database: Database
    /// The number of the run, the owner of the entries it writes.
    let run: Int64
    let identity: RunIdentity
    /// Whose entries may be adopted.
    private let endedRuns: Mutex<EndedRuns>

    /// Runs that had ended when it was last asked which had.
    struct EndedRuns: Sendable {
        var all: Set<Int64>
        /// Those of them that ended before the last reboot.
        var rebooted: Set<Int64>
    }

    init(database: Database, run: Int64, identity: RunIdentity, endedRuns: EndedRuns) {
        self.database = database
        self.run = run
        self.identity = identity
        self.endedRuns = Mutex(endedRuns)
    }

    /// Other runs have ended since.
    func note(_ ended: EndedRuns) { endedRuns.withLock { $0 = ended } }

    /// Writes all of them in one transaction, or none.
    func write(_ batches: [[LedgerChange]]) throws {
        try database.write { db in
            var settings = SettingsTable(db, identity)
            var released: Set<Int64> = []
            let insertions = try Insertions(db)
            for change in batches.joined() { try write(change, db, insertions, &settings, &released) }
            for id in released { try settings.release(id) }
        }
    }

    /// Statements that run for each file, found once for a transaction.
    private struct Insertions {
        let transfers: Statement
        let history: Statement

        init(_ db: SQLiteConnection) throws(SQLiteError) {
            transfers = try db.statement(TransfersTableRow.insertion)
            history = try db.statement(HistoryRow.insertion)
        }
    }

    private func write(
        _ change: LedgerChange, _ db: SQLiteConnection, _ insertions: Insertions, _ settings: inout SettingsTable,
        _ released: inout Set<Int64>
    ) throws {
        switch change {
        case .put(let entry):
            // The row of its settings may contain logins: it is deleted when no other transfer uses it.
            if entry.standing.isFinished { try noteSettings(of: entry.key, db, &released) }
            let kept = entry.kept(in: identity)
            let id = try settings.id(of: entry.spec.settings, isFinished: entry.standing.isFinished)
            try insertions.transfers.run { TransfersTableRow.bind(kept, run: run, settings: id, to: &$0) }
            if let past = HistoryEntry(kept) { try insertions.history.run { HistoryRow.bind(past, to: &$0) } }
        case .advanced(let key, let onDisk, let durable, let received):
            try db.run(
                "UPDATE transfers SET ranges = ?, durable = ?, hauled = ? WHERE key = ?",
                [RangesText.encode(onDisk), RangesText.column(durable), received.bytes, key.number])
        case .allowed(let allowance): try HostTable.write(allowance, db)
        case .detailed(let key, let details): try DetailsTable.write(details, of: key, db)
        case .ranked(let key, let rank):
            try db.run("UPDATE transfers SET rank = ? WHERE key = ?", [rank, key.number])
        case .removed(let key):
            try noteSettings(of: key, db, &released)
            try DetailsTable.remove(key, db)
            try db.run("DELETE FROM transfers WHERE key = ?", [key.number])
        }
    }

    private func noteSettings(of key: LedgerKey, _ db: SQLiteConnection, _ released: inout Set<Int64>) throws {
        let id: Int64? = try db.value("SELECT settings FROM transfers WHERE key = ?", [key.number])
        if let id { released.insert(id) }
    }

    /// - Parameter options: `name=value` lines.
    func keep(options: String) throws {
        try database.write { db in
            try db.run("UPDATE runs SET options = ? WHERE number = ?", [options, run])
        }
    }

    /// Makes this run the owner of entries of ended runs, except those that another process has adopted before.
    ///
    /// - Returns: the keys of entries that belong to this run now.
    func adopt(_ keys: [LedgerKey]) throws -> [LedgerKey] {
        let ended = endedRuns.withLock(\.self)
        return try database.write { db in
            let update = try db.prepare(
                """
                UPDATE transfers
                SET run = \(run), isAfterReboot = isAfterReboot OR run IN (\(Self.list(ended.rebooted)))
                WHERE key = ? AND run IN (\(Self.list(ended.all.union([run]))))
                """)
            return try keys.filter { key in
                try update.run([key.number])
                return db.changedRows > 0
            }
        }
    }

    func details(of key: LedgerKey) throws -> StoredDetails? {
        try database.read { db in try DetailsTable.read(of: key, db) }
    }

    func history(_ query: HistoryQuery) throws -> [HistoryEntry] {
        try database.read { db in try HistoryTable.find(query, in: db) }
    }

    /// Closes; the last connection writes the log into the file and syncs it.
    func close() throws {
        try database.write { db in try LedgerRetention.pruneHistory(db) }
        try database.close()
    }

    private static func list(_ numbers: Set<Int64>) -> String { numbers.map { "\($0)" }.joined(separator: ", ") }
}
