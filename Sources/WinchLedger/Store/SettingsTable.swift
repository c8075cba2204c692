import GRDB
import WinchCore

/// Finds or makes the rows of `settings` within one transaction: another process may remove those that nobody uses between
/// two.
struct SettingsTable {
    private let db: Database
    private let surroundings: Surroundings
    private var ids: [Key: Int64] = [:]
    /// Most entries share the very object.
    private var last: (settings: Shared<TransferSettings>, isFinished: Bool, id: Int64)?

    private struct Key: Hashable {
        var settings: TransferSettings
        var isFinished: Bool
    }

    init(_ db: Database, _ surroundings: Surroundings) {
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
        let found = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT id FROM settings WHERE json = ?"), arguments: [json])
        let id: Int64
        if let found {
            id = found
        } else {
            try db.cachedStatement(sql: "INSERT INTO settings (json) VALUES (?)").execute(arguments: [json])
            id = db.lastInsertedRowID
        }
        ids[key] = id
        return id
    }

    /// Removes a row when no transfer uses it any more: it may hold a password.
    func release(_ id: Int64) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM settings
                WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM transfers WHERE settings = ?1)
                """
        ).execute(arguments: [id])
    }

    /// Removes every row that no transfer uses.
    static func releaseAll(_ db: Database) throws {
        try db.execute(
            sql:
                "DELETE FROM settings WHERE NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.settings = settings.id)"
        )
    }
}
