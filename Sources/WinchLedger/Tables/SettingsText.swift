import FoundationEssentials
import WinchModel

/// Settings as JSON, without the checksum, which differs between files: a hundred thousand entries share a few rows.
enum SettingsText {
    static func encode(_ settings: TransferSettings) throws -> String {
        var settings = settings
        settings.checksum = nil
        let encoder = JSONEncoder()
        // Equal settings must give the same text, by which their row is found.
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(settings), as: UTF8.self)
    }

    /// Settings that an earlier version did not have get their default values.
    ///
    /// - Returns: `nil` for a text that is no JSON object of settings.
    static func decode(_ text: String) -> TransferSettings? {
        let decoder = JSONDecoder()
        let data = Data(text.utf8)
        if let settings = try? decoder.decode(TransferSettings.self, from: data) { return settings }
        guard let stored = try? decoder.decode([String: JSONValue].self, from: data),
            let usual = try? decoder.decode([String: JSONValue].self, from: JSONEncoder().encode(TransferSettings())),
            let merged = try? JSONEncoder().encode(usual.merging(stored) { _, stored in stored })
        else { return nil }
        return try? decoder.decode(TransferSettings.self, from: merged)
    }
}

extension SettingsText {
    /// The hosts that get the login, as earlier versions stored them: without a scheme, so that `http` and `https` are one.
    ///
    /// - Returns: `nil` for settings without such a limit, and for those of this version.
    static func loginHosts(_ text: String) -> Set<String>? {
        struct Old: Decodable {
            var loginHosts: Set<String>?
            var loginOrigins: [String]?
        }
        guard let old = try? JSONDecoder().decode(Old.self, from: Data(text.utf8)), old.loginOrigins == nil else {
            return nil
        }
        return old.loginHosts
    }
}

/// Any JSON.
private enum JSONValue: Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
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
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
