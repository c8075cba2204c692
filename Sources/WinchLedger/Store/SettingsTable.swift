import WinchCore

/// Finds or makes the rows of `settings` within one transaction: another process may remove those that nobody uses between
/// two.
struct SettingsTable {
    private let db: Connection
    private let surroundings: Surroundings
    private var ids: [Key: Int64] = [:]
    /// Most entries share the very object.
    private var last: (settings: Shared<TransferSettings>, isFinished: Bool, id: Int64)?

    private struct Key: Hashable {
        var settings: TransferSettings
        var isFinished: Bool
    }

    init(_ db: Connection, _ surroundings: Surroundings) {
        (self.db, self.surroundings) = (db, surroundings)
    }

    mutating func id(of settings: Shared<TransferSettings>, isFinished: Bool) throws -> Int64 {
        if let last, last.settings === settings, last.isFinished == isFinished { return last.id }
        var common = settings.value
        common.checksum = nil
        let id = try id(of: Key(settings: common, isFinished: isFinished))
        last = (settings, isFinished, id)
        return id
    }

    private mutating func id(of key: Key) throws -> Int64 {
        if let id = ids[key] { return id }
        let json = try SettingsText.encode(key.settings.kept(in: surroundings, isFinished: key.isFinished))
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

    /// Removes a row when no transfer uses it any more: it may hold a password.
    func release(_ id: Int64) throws(SQLiteError) {
        try db.run(
            "DELETE FROM settings WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM transfers WHERE settings = ?1)", [id])
    }

    /// Removes every row that no transfer uses.
    static func releaseAll(_ db: Connection) throws(SQLiteError) {
        try db.execute(
            "DELETE FROM settings WHERE NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.settings = settings.id)")
    }
}
