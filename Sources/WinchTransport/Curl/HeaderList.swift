/// Request header lines for libcurl; must live as long as the handle may use them.
final class HeaderList {
    private var list: LineList
    private let lines: [String]
    private var condition: String?

    /// - Parameters:
    ///   - lines: `Name: value`, as the user gave them; `Range` and `If-Range` are dropped, Winch sets them itself.
    ///   - own: Winch's lines, which replace those of the same names.
    init(lines: [String], _ own: [String] = []) {
        let ownNames = Set(own.map(Self.name))
        var lines = lines.filter { !ownNames.contains(Self.name(of: $0)) }.filter { line in
            !line.utf8.contains { $0 < 0x20 && $0 != 0x09 } && !Self.isNamed(line, "range")
                && !Self.isNamed(line, "if-range")
        }
        if !lines.contains(where: { Self.isNamed($0, "accept-encoding") }) {
            lines.append("Accept-Encoding: identity")
        }
        self.lines = lines + own
        list = LineList(self.lines)
    }

    /// The head of libcurl's list; `nil` for none.
    var first: OpaquePointer? { list.first }

    /// Sets or removes the line on which the answer depends.
    ///
    /// - Returns: false when it was set so already.
    func setCondition(_ value: String?) -> Bool {
        guard value != condition else { return false }
        condition = value
        list = LineList(lines + (value.map { [$0] } ?? []))
        return true
    }

    private static func isNamed(_ line: String, _ name: String) -> Bool { self.name(of: line) == name }

    /// In lower case, without blanks; empty for what is no header line.
    private static func name(of line: String) -> String {
        let end = line.utf8.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
        return end.map { line[..<$0].lowercased().filter { $0 != " " } } ?? ""
    }
}
