import WinchModel

/// Writes `TIME LEVEL [id] message key=value` lines. Text from servers is escaped, so that it cannot begin a new line.
enum LogLineFormat {
    /// The order of the fields; other fields follow, sorted by name.
    private static let order = ["name", "url", "attempt", "status", "path", "reason", "wait", "cause", "have", "size"]

    static func line(_ entry: LogEntry, time: String) -> String {
        var parts = [time, entry.level.rawValue.uppercased()]
        if let id = entry.id { parts.append("[\(id.number)]") }
        parts.append(escaped(entry.message))
        func place(_ name: String) -> Int { order.firstIndex(of: name) ?? order.count }
        let fields = entry.fields.sorted { (place($0.name), $0.name) < (place($1.name), $1.name) }
        parts += fields.map { "\($0.name)=\(quoted($0.value))" }
        return parts.joined(separator: " ")
    }

    /// Puts a value in quotes if it is empty or contains a blank, a quote or a `=`.
    static func quoted(_ text: String) -> String {
        let isSimple = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        let text = escaped(text)
        return isSimple ? text : "\"" + text.replacing("\"", with: "\\\"") + "\""
    }

    /// Escapes control characters, line ends and format characters such as bidirectional overrides: `\u{1b}`.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format:
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
