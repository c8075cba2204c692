package import WinchModel

/// One `name=value` line: an option of a batch entry, a line of the settings file, a colour of a theme.
package struct NameValueLine: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Splits at the first `=` and removes the blanks around name and value.
    ///
    /// - Returns: `nil` without a `=` or with no name before it.
    package init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        name = String(text[..<equals].trimmingBlanks())
        value = String(text[text.utf8.index(after: equals)...].trimmingBlanks())
        guard !name.isEmpty else { return nil }
    }

    /// Reads `yes`, `true`, `on`, `1` and their opposites, in any case; `nil` for any other text.
    package static func boolean(_ text: some StringProtocol) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: nil
        }
    }
}

/// A file of `name=value` lines, such as the settings or a theme. `#` in column 0 begins a comment; empty lines, CRLF and a
/// byte order mark are accepted.
package struct NameValueLines: Sendable {
    /// A setting and its line number, from 1.
    package struct Line: Hashable, Sendable {
        package var number: Int
        package var setting: NameValueLine

        package init(number: Int, setting: NameValueLine) {
            self.number = number
            self.setting = setting
        }
    }

    package private(set) var lines: [Line] = []
    /// Warnings about the lines that were ignored because they are not `name=value`.
    package private(set) var problems: [BatchProblem] = []

    /// Parses a whole file. Never fails: what is wrong is in `problems`.
    package init(parsing bytes: [UInt8]) {
        for (number, line) in TextLines(bytes) {
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            let text = String(system: line)
            let trimmed = text[...].trimmingBlanks()
            guard !trimmed.isEmpty else { continue }
            guard let setting = NameValueLine(trimmed) else {
                let message = "a setting is name=value: \(trimmed.prefix(40))"
                problems.note(BatchProblem(line: number, severity: .warning, message: message))
                continue
            }
            lines.append(Line(number: number, setting: setting))
        }
    }
}

/// One request header as the user gives it, `Name: value`. It has no control characters but TAB, so that it cannot add a
/// second header to the request.
///
/// - Source: RFC 9110, sections 5.1 and 5.5.
package struct HeaderLine: Hashable, Sendable {
    package let text: String

    /// Those that say which bytes are wanted, and how long the body of the request is: Winch sets them for each request.
    private static let ownNames: Set = ["range", "if-range", "content-length", "transfer-encoding"]

    /// - Throws: when the name is no token or one that Winch sets itself, the colon is missing, or the value has a control
    ///   character. The message completes a sentence about the line.
    package init(_ text: some StringProtocol) throws(InvalidValue) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex,
            text[..<colon].utf8.allSatisfy(\.isHeaderNameByte), text.utf8.allSatisfy(\.isPrintableOrTab)
        else { throw InvalidValue("must be 'Name: value'") }
        guard !Self.ownNames.contains(text[..<colon].lowercased()) else {
            throw InvalidValue("must not be \(text[..<colon]), which Winch sets itself")
        }
        self.text = String(text)
    }
}

extension UInt8 {
    /// A byte that is allowed in a header's name.
    ///
    /// - Source: RFC 9110, section 5.6.2 (token).
    fileprivate var isHeaderNameByte: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// Not an ASCII control character, TAB excepted.
    var isPrintableOrTab: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
