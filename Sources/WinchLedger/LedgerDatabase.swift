import WinchModel

/// The database of one run: writes recorded changes in transactions.
///
/// `@unchecked`: it is used on the queue of its `Ledger` only.
final class LedgerDatabase: @unchecked Sendable {
    let db: SQLiteConnection
    /// The number of the run, the owner of the entries it writes.
    let run: Int64
    let identity: RunIdentity
    /// Whose entries may be adopted.
    var endedRuns: EndedRuns

    /// Runs that had ended when it was last asked which had.
    struct EndedRuns {
        var all: Set<Int64> = []
        /// Those of them that ended before the last reboot.
        var rebooted: Set<Int64> = []
    }

    init(_ db: SQLiteConnection, run: Int64, identity: RunIdentity, endedRuns: EndedRuns) {
        (self.db, self.run, self.identity, self.endedRuns) = (db, run, identity, endedRuns)
    }

    /// Stores something beside the changes.
    typealias Note = @Sendable (LedgerDatabase) throws -> Void

    /// Writes all of them in one transaction, or none.
    func write(_ batches: [[LedgerChange]], _ notes: [Note]) throws {
        try db.transaction(.writing) {
            for note in notes { try note(self) }
            var settings = SettingsTable(db, identity)
            var released: Set<Int64> = []
            for change in batches.joined() { try write(change, &settings, &released) }
            for id in released { try settings.release(id) }
        }
    }

    private func write(
        _ change: LedgerChange, _ settings: inout SettingsTable, _ released: inout Set<Int64>
    ) throws {
        switch change {
        case .put(let entry):
            // The row of its settings may contain logins: it is deleted when no other transfer uses it.
            if entry.standing.isFinished { try noteSettings(of: entry.key, &released) }
            let kept = entry.kept(in: identity)
            let isFinished = entry.standing.isFinished
            let account = isFinished ? entry.spec.accountMark : nil
            let id = try settings.id(of: entry.spec.settings, isFinished: isFinished, account: account)
            try db.run(TransfersTableRow.insertion, TransfersTableRow.values(of: kept, run: run, settings: id))
            if let past = HistoryEntry(kept) { try db.run(HistoryTable.insertion, HistoryTable.values(of: past)) }
        case .advanced(let key, let onDisk, let durable, let received):
            try db.run(
                "UPDATE transfers SET ranges = ?, durable = ?, hauled = ? WHERE key = ?",
                [RangesText.encode(onDisk), RangesText.encode(durable), received.bytes, key.number])
        case .detailed(let key, let details): try DetailsTable.write(details, of: key, db)
        case .ranked(let key, let rank):
            try db.run("UPDATE transfers SET rank = ? WHERE key = ?", [rank, key.number])
        case .removed(let key):
            try noteSettings(of: key, &released)
            try DetailsTable.remove(key, db)
            try db.run("DELETE FROM transfers WHERE key = ?", [key.number])
        }
    }

    private func noteSettings(of key: LedgerKey, _ released: inout Set<Int64>) throws {
        let id: Int64? = try db.value("SELECT settings FROM transfers WHERE key = ?", [key.number])
        if let id { released.insert(id) }
    }

    /// - Parameter options: `name=value` lines.
    func keep(options: String) throws {
        try db.run("UPDATE runs SET options = ? WHERE number = ?", [options, run])
    }

    func keep(list: String, key: String) throws {
        try db.run("INSERT OR REPLACE INTO sums (key, run, json) VALUES (?, ?, ?)", [key, run, list])
    }

    func list(_ key: String) throws -> String? { try db.value("SELECT json FROM sums WHERE key = ?", [key]) }

    func note(isListUnread: Bool) throws {
        try db.run("UPDATE runs SET isListUnread = ? WHERE number = ?", [isListUnread, run])
    }

    /// The user is told now of the lists that ended runs have not read to their ends.
    func forgetUnread() throws {
        try db.execute("UPDATE runs SET isListUnread = 0 WHERE number IN (\(Self.list(endedRuns.all)))")
    }

    /// Makes this run the owner of entries of ended runs, except those that another process has adopted before.
    ///
    /// - Returns: the keys of entries that belong to this run now.
    func adopt(_ keys: [LedgerKey]) throws -> [LedgerKey] {
        try db.transaction(.writing) {
            let update = try db.statement(
                """
                UPDATE transfers
                SET run = \(run), isAfterReboot = isAfterReboot OR run IN (\(Self.list(endedRuns.rebooted)))
                WHERE key = ? AND run IN (\(Self.list(endedRuns.all.union([run]))))
                """)
            return try keys.filter { key in
                try update.run([key.number])
                return db.changedRows > 0
            }
        }
    }

    func details(of key: LedgerKey) throws -> StoredDetails? {
        try db.transaction(.reading) { try DetailsTable.read(of: key, db) }
    }

    static func list(_ numbers: Set<Int64>) -> String { numbers.map { "\($0)" }.joined(separator: ", ") }
}

/// How long the ledger keeps what is settled, and how many entries of the history.
enum LedgerRetention {
    /// 30 days, in milliseconds: a failed transfer that was not retried by then is not expected to be.
    static let failureLifetime: Int64 = 30 * 86_400_000

    /// Runs whose finished entries stay.
    static let openRuns = "SELECT run FROM transfers WHERE standing IN ('unfinished', 'paused')"

    /// Deletes what is kept no longer, when a run begins.
    ///
    /// Entries that are not resumed are deleted; the history keeps them. Finished and cancelled entries stay as long as their
    /// run has unfinished ones: without them the progress of a resumed queue would fall back after another run.
    ///
    /// - Parameters:
    ///   - dead: the runs that have ended.
    ///   - last: the latest of them that has entries, all of which stay but old failures.
    static func forget(
        _ dead: Set<Int64>, last: Int64?, _ db: SQLiteConnection, at now: UnixTime
    ) throws(SQLiteError) {
        let dead = dead.map { "\($0)" }.joined(separator: ", ")
        try db.run(
            """
            DELETE FROM transfers WHERE run IN (\(dead)) AND run <> ? AND (
                (standing IN ('saved', 'skipped', 'listed', 'cancelled')
                OR standing = 'alreadyComplete' AND upload IS NULL)
                AND run NOT IN (\(openRuns))
                OR standing = 'failed' AND coalesce(settledAt, addedAt) < ?)
            """, [last ?? 0, now.milliseconds - failureLifetime])
        try db.execute("DELETE FROM runs WHERE number IN (\(dead)) AND number NOT IN (SELECT run FROM transfers)")
        try SettingsTable.releaseAll(db)
        try db.execute(
            """
            DELETE FROM sums WHERE run IN (\(dead))
                AND NOT EXISTS (SELECT 1 FROM settings WHERE instr(settings.json, '"sums":"' || sums.key || '"'))
            """)
        try DetailsTable.removeStrays(db)
        try pruneHistory(db)
    }

    /// Deletes all but the newest `count`.
    static func pruneHistory(_ db: SQLiteConnection, to count: Int = Ledger.historyLength) throws(SQLiteError) {
        let all: Int = try db.value("SELECT count(*) FROM history") ?? 0
        guard all > count else { return }
        try db.run(
            "DELETE FROM history WHERE key IN (SELECT key FROM history ORDER BY settledAt, key LIMIT ?)",
            [all - count])
    }
}

/// Finds or inserts rows of `settings` within one transaction. Between two transactions another process may delete rows that
/// no transfer uses.
struct SettingsTable {
    private let db: SQLiteConnection
    private let identity: RunIdentity
    private var ids: [Key: Int64] = [:]
    /// Most entries share one object.
    private var last: (settings: Shared<TransferSettings>, isFinished: Bool, account: UInt16?, id: Int64)?

    private struct Key: Hashable {
        var settings: TransferSettings
        var isFinished: Bool
        var account: UInt16?
    }

    init(_ db: SQLiteConnection, _ identity: RunIdentity) {
        (self.db, self.identity) = (db, identity)
    }

    /// - Parameter account: of a finished transfer, as `TransferSettings.account` has it.
    mutating func id(of settings: Shared<TransferSettings>, isFinished: Bool, account: UInt16?) throws -> Int64 {
        if let last, last.settings === settings, last.isFinished == isFinished, last.account == account {
            return last.id
        }
        var common = settings.value
        // It differs between files: without it a hundred thousand entries share a few rows.
        common.checksum = nil
        let id = try id(of: Key(settings: common, isFinished: isFinished, account: account))
        last = (settings, isFinished, account, id)
        return id
    }

    private mutating func id(of key: Key) throws -> Int64 {
        if let id = ids[key] { return id }
        var kept = key.settings.kept(in: identity, isFinished: key.isFinished)
        if key.isFinished { kept.account = key.account }
        let json = try StoredJSON.encode(kept)
        let id: Int64
        if let found: Int64 = try db.value("SELECT id FROM settings WHERE json = ?", [json]) {
            id = found
        } else {
            try db.run("INSERT INTO settings (json) VALUES (?)", [json])
            id = db.lastInsertedKey
        }
        ids[key] = id
        return id
    }

    /// Deletes a row that no transfer uses any more: it may contain a password.
    func release(_ id: Int64) throws(SQLiteError) {
        try db.run(
            "DELETE FROM settings WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM transfers WHERE settings = ?1)", [id])
    }

    /// Deletes every row that no transfer uses.
    static func releaseAll(_ db: SQLiteConnection) throws(SQLiteError) {
        try db.execute(
            "DELETE FROM settings WHERE NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.settings = settings.id)")
    }
}
