import TestSupport
import Testing

@testable import WinchBatch

@Suite struct `A cookie file` {
    private static let cookie = "h.example\tFALSE\t/\tFALSE\t0\tid\tmine"

    /// A line; whether libcurl takes a cookie from it; `nil`: it is a comment.
    private static let lines: [(String, Bool?)] = [
        (cookie, true), (cookie + "\r", true), ("  " + cookie, true), ("#HttpOnly_" + cookie, true),
        ("h\tTRUE\t/\tTRUE\t1700000000.5\tid", true), ("h\tTRUE\tFALSE\t0\tid\tmine", true),
        ("h\tTRUE\t\tFALSE\t0\tid\tmine", true), ("Set-Cookie: id=mine; path=/", true), ("set-cookie:a=", true),
        ("# Netscape HTTP Cookie File", nil), ("", nil), ("\t\r", nil), ("#HttpOnly_", nil),
        ("h FALSE / FALSE 0 id mine", false), (cookie + "\tmore", false), ("h\tTRUE\t/\tFALSE\t0", false),
        ("h\tTRUE\t/\tFALSE\tnever\tid\tmine", false), ("h\tTRUE\t/\tFALSE\t-1\tid\tmine", false),
        ("Set-Cookie: id; a=b", false), ("id=mine", false),
    ]

    @Test(arguments: lines) func `is read as libcurl does`(line: String, isCookie: Bool?) {
        let file = CookieFile(Array(line.utf8))
        expectEqual(file.cookies, isCookie == true ? 1 : 0)
        expectEqual(file.malformed, isCookie == false ? [1] : [])
    }

    @Test func `has at least one cookie among lines that are no comments`() {
        let words = CookieFile(Array("<html>\n</html>\n".utf8)).fault
        expectEqual(words?.hasPrefix("no line is a cookie"), true)
        expectEqual(CookieFile(Array(" [{\"name\": \"a\"}]".utf8)).fault?.hasPrefix("JSON"), true)
        expectNil(CookieFile(Array("# Netscape HTTP Cookie File\n\n".utf8)).fault)
        expectNil(CookieFile([]).fault)
    }

    @Test func `names the lines that are left out`() {
        let one = CookieFile(Array("# cookies\nno cookie\n\(Self.cookie)\n".utf8))
        expectNil(one.fault)
        expectEqual(one.warning, "left out, being no cookies: line 2")
        let many = CookieFile(Array((String(repeating: "x\n", count: 7) + Self.cookie).utf8))
        expectEqual(many.warning, "left out, being no cookies: lines 1, 2, 3, 4, 5 and 2 more")
        expectNil(CookieFile(Array(Self.cookie.utf8)).warning)
    }
}
