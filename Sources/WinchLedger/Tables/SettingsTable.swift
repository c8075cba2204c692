import FoundationEssentials
import WinchModel

/// Finds or inserts rows of `settings` within one transaction. Between two transactions another process may delete rows that
/// no transfer uses.
struct SettingsTable {
    private let db: SQLiteConnection
    private let identity: RunIdentity
    private var ids: [Key: Int64] = [:]
    /// Most entries share one object.
    private var last: (settings: Shared<TransferSettings>, isFinished: Bool, id: Int64)?

    private struct Key: Hashable {
        var settings: TransferSettings
        var isFinished: Bool
    }

    init(_ db: SQLiteConnection, _ identity: RunIdentity) {
        (self.db, self.identity) = (db, identity)
    }

    mutating func id(of settings: Shared<TransferSettings>, isFinished: Bool) throws -> Int64 {
        if let last, last.settings === settings, last.isFinished == isFinished { return last.id }
        var common = settings.value
        // It differs between files: without it a hundred thousand entries share a few rows.
        common.checksum = nil
        let id = try id(of: Key(settings: common, isFinished: isFinished))
        last = (settings, isFinished, id)
        return id
    }

    private mutating func id(of key: Key) throws -> Int64 {
        if let id = ids[key] { return id }
        let json = try StoredJSON.encode(key.settings.kept(in: identity, isFinished: key.isFinished))
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

/// Reads settings that are stored as JSON.
enum SettingsText {
    /// Settings that an earlier version did not have get their default values.
    ///
    /// - Returns: `nil` for a text that is no JSON object of settings.
    static func decode(_ text: String) -> TransferSettings? {
        if let settings: TransferSettings = StoredJSON.value(text) { return settings }
        guard let stored: [String: JSONValue] = StoredJSON.value(text),
            let defaults = StoredJSON.text(TransferSettings()),
            let usual: [String: JSONValue] = StoredJSON.value(defaults),
            let merged = StoredJSON.text(usual.merging(stored) { _, stored in stored })
        else { return nil }
        return StoredJSON.value(merged)
    }

    /// The hosts that get the login, as earlier versions stored them: without a scheme, so that `http` and `https` are one.
    ///
    /// - Returns: `nil` for settings without such a limit, and for those of this version.
    static func loginHosts(_ text: String) -> Set<String>? {
        struct Old: Decodable {
            var loginHosts: Set<String>?
            var loginOrigins: [String]?
        }
        guard let old: Old = StoredJSON.value(text), old.loginOrigins == nil else { return nil }
        return old.loginHosts
    }
}

/// Any JSON.
private enum JSONValue: Codable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
