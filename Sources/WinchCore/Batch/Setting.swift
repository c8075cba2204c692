/// One `name=value` line: an option of a batch entry, a line of the settings file, a colour of a theme.
public struct Setting: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Splits at the first `=` and removes the blanks around name and value.
    ///
    /// - Returns: `nil` without a `=` or with no name before it.
    public init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        name = String(text[..<equals].trimmingBlanks())
        value = String(text[text.utf8.index(after: equals)...].trimmingBlanks())
        guard !name.isEmpty else { return nil }
    }

    /// Reads `yes`, `true`, `on`, `1` and their opposites, in any case; `nil` for any other text.
    public static func truth(_ text: some StringProtocol) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: nil
        }
    }
}

/// A file of `name=value` lines, such as the settings or a theme. `#` in column 0 begins a comment; empty lines, CRLF and a
/// byte order mark are accepted.
public struct SettingLines: Sendable {
    /// A setting and its line number, from 1.
    public struct Line: Hashable, Sendable {
        public var number: Int
        public var setting: Setting

        public init(number: Int, setting: Setting) {
            self.number = number
            self.setting = setting
        }
    }

    public private(set) var lines: [Line] = []
    /// Warnings about the lines that were ignored because they are not `name=value` or not UTF-8.
    public private(set) var problems: [BatchProblem] = []

    /// Parses a whole file. Never fails: what is wrong is in `problems`.
    public init(parsing bytes: [UInt8]) {
        for (number, line) in TextLines(bytes) {
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            guard let text = String(validating: line, as: UTF8.self) else {
                problems.append(BatchProblem(line: number, severity: .warning, message: "this line is not UTF-8"))
                continue
            }
            let trimmed = text[...].trimmingBlanks()
            guard !trimmed.isEmpty else { continue }
            guard let setting = Setting(trimmed) else {
                let message = "a setting is name=value: \(trimmed.prefix(40))"
                problems.append(BatchProblem(line: number, severity: .warning, message: message))
                continue
            }
            lines.append(Line(number: number, setting: setting))
        }
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension Substring {
    /// Without the blanks (space, TAB) at both ends. Works on bytes, so that a blank with a combining mark counts as a blank.
    func trimmingBlanks() -> Substring {
        var rest = utf8.drop(while: \.isBlank)
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return Substring(rest)
    }
}
