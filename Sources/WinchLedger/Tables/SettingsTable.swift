import WinchModel

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
