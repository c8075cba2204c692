import Logging

/// Writes `TIME LEVEL [id] message key=value` lines. Text from servers is escaped, so that it cannot begin a new line.
struct LogLineFormat: LogHandler {
    /// The key of the metadata that is written as `[id]`.
    static let idKey = "id"
    /// The key of the metadata with the time of the event.
    static let timeKey = "time"

    let sink: LogFileWriter
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    /// The order of the fields; other fields follow, sorted by name.
    private static let order = ["name", "url", "attempt", "status", "path", "reason", "wait", "cause", "have", "size"]

    init(sink: LogFileWriter, level: Logger.Level) {
        self.sink = sink
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        sink.write(line(event.level, "\(event.message)", event.metadata ?? [:]))
    }

    func line(_ level: Logger.Level, _ message: String, _ more: Logger.Metadata) -> String {
        var fields = metadata.merging(more) { _, new in new }
        var parts: [String] = []
        if let time = fields.removeValue(forKey: Self.timeKey) { parts.append("\(time)") }
        parts.append(level.rawValue.uppercased())
        if let id = fields.removeValue(forKey: Self.idKey) { parts.append("[\(id)]") }
        parts.append(Self.escaped(message))
        func place(_ key: String) -> Int { Self.order.firstIndex(of: key) ?? Self.order.count }
        for (key, value) in fields.sorted(by: { (place($0.key), $0.key) < (place($1.key), $1.key) }) {
            parts.append("\(key)=\(Self.quoted("\(value)"))")
        }
        return parts.joined(separator: " ")
    }

    /// Puts a value in quotes if it is empty or contains a blank, a quote or a `=`.
    private static func quoted(_ text: String) -> String {
        let isSimple = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        let text = escaped(text)
        return isSimple
            ? text
            : "\""
                + text.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\\\"") + "\""
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
