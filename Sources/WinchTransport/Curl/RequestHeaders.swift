/// The header lines of every HTTP request: the user's (`--header`), those that Winch adds to each, and those of one request.
/// The User-Agent and the Referer are options of libcurl, set by `EasyOptions`.
///
/// It must live as long as the handle may use the lines.
final class RequestHeaders {
    private var list: LineList
    /// Without the condition.
    private(set) var lines: [String]
    private let own: [String]
    private var condition: String?

    /// Added to every request, unless the user gives a line of the same name.
    ///
    /// The bytes of the file itself are wanted, not an encoded form: ranges and checksums are about them.
    static let standard = ["Accept-Encoding: identity"]
    /// The value of `User-Agent` where the settings name none.
    static let userAgent = "winch/" + WinchVersion.text

    /// - Parameters:
    ///   - lines: `Name: value`, as the user gave them; `Range` and `If-Range` are dropped, Winch sets them itself.
    ///   - own: Winch's lines, which replace those of the same names.
    init(lines: [String], _ own: [String] = []) {
        self.own = own
        self.lines = Self.all(lines, own)
        list = LineList(self.lines)
    }

    private static func all(_ lines: [String], _ own: [String]) -> [String] {
        let ownNames = Set(own.map(Self.name))
        var lines = lines.filter { !ownNames.contains(Self.name(of: $0)) }.filter { line in
            !line.utf8.contains { $0 < 0x20 && $0 != 0x09 } && !isNamed(line, "range") && !isNamed(line, "if-range")
        }
        let given = Set(lines.map(Self.name))
        lines += standard.filter { !given.contains(name(of: $0)) }
        return lines + own
    }

    /// Puts other lines in the place of the user's.
    ///
    /// - Returns: false when they are the same.
    func use(_ lines: [String]) -> Bool {
        let all = Self.all(lines, own)
        guard all != self.lines else { return false }
        self.lines = all
        list = LineList(all + (condition.map { [$0] } ?? []))
        return true
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
