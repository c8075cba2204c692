/// What libcurl takes from a cookie file, which has lines in Netscape's format and lines `Set-Cookie:`. libcurl passes over every
/// other line in silence.
///
/// - Source: lib/cookie.c of libcurl 7.88, `Curl_cookie_init` and `Curl_cookie_add`.
package struct CookieFile: Hashable, Sendable {
    package private(set) var cookies = 0
    /// The numbers, from 1, of the lines that are neither cookie nor comment, ascending.
    package private(set) var malformed: [Int] = []
    package let isJSON: Bool

    /// How many line numbers a message lists.
    private static let most = 5

    package init(_ bytes: [UInt8]) {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        isJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            switch Self.isCookie(line) {
            case true?: cookies += 1
            case false?: malformed.append(index + 1)
            case nil: break
            }
        }
    }

    /// Why it is no cookie file; `nil`: it is one, or has nothing but comments.
    package var fault: String? {
        guard cookies == 0, !malformed.isEmpty else { return nil }
        return isJSON
            ? "JSON, and no Netscape cookie file; export the cookies as cookies.txt"
            : "no line is a cookie; a cookie has 7 fields with tabs between them, as in cookies.txt"
    }

    /// About the lines that are left out; `nil`: there are none.
    package var warning: String? {
        guard !malformed.isEmpty else { return nil }
        let shown = malformed.prefix(Self.most).map { "\($0)" }.joined(separator: ", ")
        let more = malformed.count > Self.most ? " and \(malformed.count - Self.most) more" : ""
        return "left out, being no cookies: " + (malformed.count == 1 ? "line " : "lines ") + shown + more
    }

    /// - Returns: `nil` for a comment or an empty line.
    private static func isCookie(_ line: ArraySlice<UInt8>) -> Bool? {
        var line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let name = "set-cookie:"
        if line.prefix(name.utf8.count).map({ $0 | 0x20 }).elementsEqual(name.utf8.map { $0 | 0x20 }) {
            return line.prefix { $0 != UInt8(ascii: ";") }.contains(UInt8(ascii: "="))
        }
        line = line.drop { " \t".utf8.contains($0) }
        let mark = "#HttpOnly_"
        if line.starts(with: mark.utf8) { line = line.dropFirst(mark.utf8.count) }
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        // Domain, whether its subdomains count, path, whether it must be secured, when it expires, name, value.
        var fields = line.split(separator: UInt8(ascii: "\t"))
        // The path may be missing, and an empty field is none.
        if fields.count > 2, ["TRUE", "FALSE"].contains(where: { fields[2].elementsEqual($0.utf8) }) {
            fields.insert([], at: 2)
        }
        guard fields.count == 6 || fields.count == 7 else { return false }
        let expiry = fields[4].first { $0 != UInt8(ascii: " ") } ?? 0
        return expiry == UInt8(ascii: "+") || (0x30...0x39).contains(expiry)
    }
}
