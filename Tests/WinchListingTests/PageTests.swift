import Foundation
import TestSupport
import Testing
import WinchModel

@testable import WinchListing

@Suite struct `A folder's page` {
    private static let pages: [(String, [String])] = [
        ("apache-plain.html", ["file a b.iso", "folder sub"]),
        (
            "apache-fancy.html",
            [
                "file 2021-02-03-a-long-name.tar.gz 1258291+-104858 1704458040 minute",
                "file R&D?.txt 512 1709251140 minute", "folder sub 1704458040 minute",
            ]
        ),
        ("apache-table.html", ["file disk.img 4096+-103 1704458040 minute", "folder sub 1704458040 minute"]),
        (
            "nginx.html",
            [
                "folder sub 1704458040 minute", "file caf<E9> % 1234567890 1709164800 minute",
                "file a:b 0 1704458040 minute",
            ]
        ),
        ("lighttpd.html", ["folder sub 1704458096 second", "file file.mp4 1228+-103 1704458096 second"]),
        (
            "caddy.html",
            [
                "folder sub 1704458096 second zoned",
                "file r<C3><A9>sum<C3><A9>.pdf 1234 1704458096 second zoned",
            ]
        ),
        ("iis.html", ["folder sub 1704467040 minute", "file a b.zip 1234567 1705277040 minute"]),
        ("python.html", ["file .hidden", "file a\"<b>.txt", "file link", "folder sub"]),
        (
            "rclone.html",
            ["folder sub 1704454496 second zoned", "file x.bin 1048576 1704454496 second zoned"]
        ),
        (
            "miniserve.html",
            ["folder sub 1704458096 second zoned", "file x.bin 1536+-11 1704458096 second zoned"]
        ),
        ("wsgidav.html", ["folder sub 1704458096 second zoned", "file x.bin 1048576 1704458096 second zoned"]),
        (
            "nginx.json",
            ["folder sub 1704458096 second zoned", "file caf<E9> \"<0A> 1234 1704458096 second zoned"]
        ),
        (
            "caddy.json",
            [
                "folder sub 4096 1704458096 second zoned",
                "file <F0><9F><98><80><EF><BF><BD>.txt 1704454496 second zoned",
                "link link 3 1704458096 second zoned",
            ]
        ),
    ]

    private static func page(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Pages")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// The entries of a page that arrives in parts which begin at these bytes.
    private static func entries(
        of page: [UInt8], by start: any ListingParser = HTMLIndex(path: "/pub/", now: 1_709_251_200),
        cutAt cuts: [Int] = []
    ) throws -> [String] {
        var parser = start
        var found: [ListedEntry] = []
        var begin = 0
        for end in cuts.sorted() + [page.count] {
            try Array(page[begin..<end]).withUnsafeBytes { bytes in
                try parser.read(bytes) { found.append($0) }
            }
            begin = end
        }
        expectEqual(try parser.end { found.append($0) }, .complete)
        return found.map(text)
    }

    private static func text(_ entry: ListedEntry) -> String {
        let name = entry.name.map { byte -> String in
            if (0x20..<0x7F).contains(byte) { return String(Unicode.Scalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "<0\(hex)>" : "<\(hex)>"
        }
        var text = "\(entry.kind) \(name.joined())"
        if let size = entry.version.size { text += " \(size.bytes)" + (size.isExact ? "" : "+-\(size.tolerance)") }
        if let time = entry.version.time {
            text += " \(time.seconds) \(time.precision)" + (time.isZoned ? " zoned" : "")
        }
        return text
    }

    private static func parser(of name: String) -> any ListingParser {
        if name.hasSuffix("json") { return JSONIndex() }
        return HTMLIndex(path: "/pub/", now: 1_709_251_200)
    }

    @Test(arguments: pages) func `gives its entries`(name: String, expected: [String]) throws {
        expectEqual(try Self.entries(of: try Self.page(name), by: Self.parser(of: name)), expected)
    }

    @Test(arguments: pages.map(\.0)) func `gives the same wherever it is cut`(name: String) throws {
        let page = try Self.page(name)
        let whole = try Self.entries(of: page, by: Self.parser(of: name))
        expectEqual(try Self.entries(of: page, by: Self.parser(of: name), cutAt: Array(0..<page.count)), whole)
        let seed = UInt64.random(in: 0...1 << 48)
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let cuts = (0..<5).map { _ in Int.random(in: 0...page.count, using: &random) }
            expectEqual(
                try Self.entries(of: page, by: Self.parser(of: name), cutAt: cuts), whole, "seed \(seed), \(cuts)")
        }
    }

    @Test(arguments: pages.map(\.0)) func `is refused when it is cut short`(name: String) throws {
        let page = try Self.page(name)
        #expect(throws: ListingFault.self) {
            try Self.entries(of: Array(page.prefix(page.count * 2 / 3)), by: Self.parser(of: name))
        }
    }

    @Test(arguments: [
        "<title>Index of /pub</title>", "<title>h</title><h1>Directory listing for /pub/</h1>",
        // miniserve, Caddy 2.0, and Apache with a HEADER.html.
        "<title>h:8080/pub</title><body id=\"drop-container\">",
        "<title>/pub/</title><input type=\"text\" placeholder=\"filter\" id=\"filter\" onkeyup='filter()'>",
        "<title>Our mirror</title><a href=\"?C=N;O=D\">Name</a>",
    ])
    func `may be empty`(page: String) throws {
        expectEqual(try Self.entries(of: Array(page.utf8)), [])
    }

    @Test(arguments: [
        "", "hello", "<title>My page</title><a href=\"x\">x</a>", "<html><h1>Login</h1><a href=\"x\">x</a></html>",
        "<title>Index</title>", "<!-- <title>Index of /</title> -->",
        "<input id=\"filter\"><a class=\"file\" href=\"x\">",
    ])
    func `is refused when it is no index`(page: String) {
        #expect(throws: ListingFault("this page is no list of a folder's files")) {
            try Self.entries(of: Array(page.utf8))
        }
    }

    @Test(arguments: [
        "", "{}", "[1]", "[\"a\"]", "[{}]", "[{\"name\":\"a\"}]", "[[]]", "[{\"name\":\"a\",\"type\":\"file\"}", "[]x",
        "[{\"name\":\"\\u00g0\",\"type\":\"file\"}]", "[{]", String(repeating: "[{\"a\":", count: 40),
    ])
    func `in JSON is refused when it is no list`(page: String) {
        #expect(throws: ListingFault.self) { try Self.entries(of: Array(page.utf8), by: JSONIndex()) }
    }

    /// The name; `nil`: the link is no entry.
    @Test(
        arguments: [
            ("x", "file x"), ("./x", "file x"), ("/pub/x", "file x"), ("/%70ub/x/", "folder x"), (" x\n", "file x"),
            ("./a:b", "file a:b"), ("a%2Fb", "file a/b"), ("%2e%2e", "file .."), ("%2e%2e/", "folder .."),
            ("%", "file %"),
            ("%25", "file %"), ("%252e", "file %2e"), ("a%00", "file a<00>"), ("&#x41;&amp;b", "file A&b"),
            ("&unknown;", "file &unknown;"), ("...", "file ..."), ("\\x", "file \\x"),
            ("", nil), (".", nil), ("./", nil), ("..", nil), ("../", nil), ("/", nil), ("//", nil), ("/pub/", nil),
            ("/pub", nil), ("/pub/..", nil), ("/other/x", nil), ("sub/x", nil), ("../x", nil), ("/pub/../x", nil),
            ("//host/x", nil), ("//host/pub/x", nil), ("http://h/pub/x", nil), ("mailto:x", nil),
            ("javascript:x", nil), ("?C=N;O=D", nil), ("x?y", nil), ("#top", nil), ("x#y", nil), ("x//", nil),
        ] as [(String, String?)])
    func `has entries directly below itself`(href: String, expected: String?) throws {
        let page = "<title>Index of /pub/</title><a href=\"\(href)\">x</a><hr>"
        expectEqual(try Self.entries(of: Array(page.utf8)), expected.map { [$0] } ?? [])
    }

    @Test(arguments: [
        "<A HREF='x'>", "<a href=x>", "<a\nhref = \"x\">", "<a class=\"a\" title='>' href=x>", "<a data-href=y href=x>",
        "<!-- <a href=y> --><a href=x>", "<script>'<a href=y>'</script><a href=x>",
        "<style><a href=y></STYLE><a href=x>", "<base href=\"/y/\"><a href=x>", "a < b <a href=x>",
        "<a name=y><a href=x>",
        "<a =y href=x>", "<!DOCTYPE html><?php ?><a href=x>",
    ])
    func `is read as browsers read it`(html: String) throws {
        let page = "<h1>Directory listing for /</h1>" + html + "x</a>"
        expectEqual(try Self.entries(of: Array(page.utf8)), ["file x"])
    }

    @Test(
        arguments: [
            ("2024-01-05 12:34  12K  Release 7", "12288+-1024 1704458040 minute"),
            ("2024-01-05 12:34    -  Release 7", "1704458040 minute"),
            ("2024-01-05 12:34  Release 7", "1704458040 minute"),
            ("7 bytes 2024-01-05 12:34 (of 12 bytes)", "7 1704458040 minute"),
            ("12K  Release 7", "12288+-1024"),
            // Apache with SuppressLastModified, and without its size as well.
            ("16   1.5M of 2021-02-03 04:05 stuff", "16"), ("12K  Release of Jan 5 2024", "12288+-1024"),
            ("-  Архив 2021-02-03", ""), ("Built on 2021-02-03 04:05 12K", ""),
            ("File (text/plain) 12 Fri, 05 Jan 2024 12:34:56 GMT", "12 1704458096 second zoned"),
        ])
    func `takes no size and no date from a description`(facts: String, expected: String) throws {
        let page = "<title>Index of /pub</title><pre><a href=\"x\">x</a>  \(facts)\n</pre>"
        expectEqual(try Self.entries(of: Array(page.utf8)), [expected.isEmpty ? "file x" : "file x \(expected)"])
    }

    /// A bucket may hold the objects `x` and `x/y`.
    @Test func `has a file and a folder of one name, and each of them once`() throws {
        let links = ["x", "x", "x/", "x/"].map { "<a href=\"\($0)\">\($0)</a>" }.joined(separator: " ")
        let page = "<title>Index of /pub</title><pre>\(links)\n</pre>"
        expectEqual(try Self.entries(of: Array(page.utf8)), ["file x", "folder x"])
    }

    @Test func `may have many links`() throws {
        let links = (0..<20_000).map { "<a href=\"\($0)\">\($0)</a> 05-Jan-2024 12:34 \($0)\n" }.joined()
        let entries = try Self.entries(of: Array(("<title>Index of /</title>" + links).utf8))
        expectEqual(entries.count, 20_000)
        expectEqual(entries.last, "file 19999 19999 1704458040 minute")
    }

    @Test(arguments: ["<a href=\"", "[{\"name\":\""]) func `has values of bounded length`(start: String) {
        let page = Array(start.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: ListingLimits.line + 1)
        let name = start.hasPrefix("[") ? "x.json" : "x.html"
        #expect(throws: ListingFault.self) { try Self.entries(of: page + Array("\"".utf8), by: Self.parser(of: name)) }
    }
}
