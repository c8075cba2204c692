import Logging

/// Writes `TIME LEVEL [id] message key=value` lines. Whatever a server put into them, a line stays a line.
struct FileLogHandler: LogHandler {
    /// Metadata of this name becomes the `[id]`.
    static let idKey = "id"
    /// Metadata of this name is the time of what happened.
    static let timeKey = "time"

    let sink: LogSink
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    /// The fields' order; others follow, by name.
    private static let order = ["name", "url", "attempt", "status", "path", "reason", "wait", "cause", "have", "size"]

    init(sink: LogSink, level: Logger.Level) {
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

    /// A value with a blank, a quote or nothing in it stands in quotes.
    private static func quoted(_ text: String) -> String {
        let isSimple = !text.isEmpty && !text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        let text = escaped(text)
        return isSimple
            ? text
            : "\""
                + text.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\\\"") + "\""
    }

    /// Control characters, line ends and what turns text around become `\u{1b}`.
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
