import TestSupport
import Testing
import WinchModel

@testable import WinchListing

/// 2024-01-05 12:34:56 UTC.
private let time = ListedTime(seconds: 1_704_458_096, precision: .second, isZoned: true)

private let collection = "<D:resourcetype><D:collection/></D:resourcetype>"

/// A response of PROPFIND.
private func response(_ href: String, _ properties: String = "", status: String = "200 OK") -> String {
    """
    <D:response><D:href>\(href)</D:href>
    <D:propstat><D:prop>\(properties)</D:prop><D:status>HTTP/1.1 \(status)</D:status></D:propstat></D:response>

    """
}

/// The answer of PROPFIND.
private func multistatus(_ responses: String) -> String {
    "<?xml version='1.0' encoding='utf-8'?>\n<D:multistatus xmlns:D='DAV:'>\(responses)</D:multistatus>"
}

@Suite struct `The list of PROPFIND` {
    private static let own = response("/pub/", collection)
    private static let size = "<D:getcontentlength>5</D:getcontentlength>"
    private static let locks = """
        <D:lockdiscovery><D:activelock><D:locktoken><D:href>/pub/no</D:href></D:locktoken>
        <D:lockroot><D:href>/pub/no</D:href></D:lockroot></D:activelock></D:lockdiscovery>
        <getcontentlength xmlns='urn:x'>7</getcontentlength>
        """

    @Test(
        arguments: [
            // The folder itself.
            ([own], []),
            ([response("/pub", collection)], []),
            ([response("http://other:8080/pub", collection)], []),
            ([response("/p%75b/", collection)], []),
            // Entries. Behind a proxy the host is another one.
            ([response("/pub/a%20b&amp;c", size)], ["file 'a b&c' 5"]),
            ([response("\n /pub/a b \n", size)], ["file 'a b' 5"]),
            ([response("/pub/q?x", size), response("/pub/h#x")], ["file 'q?x' 5", "file 'h#x' -"]),
            ([response("HTTPS://inside:8080/pub/a", size)], ["file 'a' 5"]),
            ([response("/pub/sub/", "\(collection)\(size)")], ["folder 'sub' -"]),
            ([response("/pub/sub", collection)], ["folder 'sub' -"]),
            ([response("/pub/sub/")], ["folder 'sub' -"]),
            // Depth infinity.
            ([own, response("/pub/sub/a"), response("/other/b"), response("/")], []),
            // The checks of names are not made here.
            ([response("/pub/%2e%2e"), response("/pub/a%2Fb")], ["file '..' -", "file 'a/b' -"]),
            // Properties that an entry does not have, and an entry that is not told of.
            ([response("/pub/a", size, status: "404 Not Found")], ["file 'a' -"]),
            ([own, "<D:response><D:href>/pub/a</D:href><D:status>HTTP/1.1 403 No</D:status></D:response>"], []),
            (["<D:response><D:href>/pub/a</D:href><D:status> HTTP/1.1 200 </D:status></D:response>"], ["file 'a' -"]),
            // Locks and the properties of others.
            ([response("/pub/a", locks)], ["file 'a' -"]),
            ([response("/pub/a", "<D:getcontentlength>-1</D:getcontentlength>")], ["file 'a' -"]),
            ([response("/pub/a", "<D:getcontentlength>9223372036854775808</D:getcontentlength>")], ["file 'a' -"]),
        ] as [([String], [String])])
    func `names files and folders`(responses: [String], expected: [String]) throws {
        expectEqual(try DavList(path: "/pub/").summaries(multistatus(responses.joined())), expected, "\(responses)")
    }

    @Test(arguments: [("d:", "xmlns:d="), ("lp1:", "xmlns:lp1="), ("", "xmlns=")])
    func `takes any prefix of its names`(prefix: String, declaration: String) throws {
        let text = multistatus(response("/pub/a", Self.size)).replacing("D:", with: prefix)
            .replacing("xmlns:D=", with: declaration)
        expectEqual(try DavList(path: "/pub/").summaries(text), ["file 'a' 5"], "\(text)")
    }

    @Test func `has properties of two answers for an entry`() throws {
        let text = """
            <D:response><D:href>/pub/a</D:href>
            <D:propstat><D:prop>\(Self.size)</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>
            <D:propstat><D:prop><D:getcontentlength/>\(collection)</D:prop>
            <D:status>HTTP/1.1 404 No</D:status></D:propstat>
            </D:response>
            """
        expectEqual(try DavList(path: "/pub/").summaries(multistatus(text)), ["file 'a' 5"])
    }

    @Test func `gives times in UTC and strong validators`() throws {
        func version(_ tag: String) throws -> ListedVersion? {
            let date = "<D:getlastmodified>Fri, 05 Jan 2024 12:34:56 GMT</D:getlastmodified>"
            let text = multistatus(response("/pub/a", date + "<D:getetag>\(tag)</D:getetag>"))
            return try DavList(path: "/pub/").result(of: Array(text.utf8)).entries.first?.version
        }
        let first = try version("\"5-6\"")
        expectEqual(first?.time, time)
        expect(first?.tag != nil)
        expectEqual(try version("&quot;5-6&quot;"), first)
        expect(try version("\"5-7\"") != first)
        expectNil(try version("W/\"5-6\"")?.tag)
        expectNil(try version("")?.tag)
    }

    @Test(
        arguments: [
            // Cut short.
            "", String(multistatus(own).dropLast(3)),
            // Of another folder, behind a proxy that changes paths.
            multistatus(""), multistatus("\(response("/", collection))\(response("/a", size))"),
            // Another root.
            "<multistatus/>", "<D:prop xmlns:D='DAV:'/>", "<html></html>",
            "<!DOCTYPE a><D:multistatus xmlns:D='DAV:'>\(own)</D:multistatus>", "Not found",
        ])
    func `is none in another form`(text: String) {
        #expect(throws: ListingFault.self) { try DavList(path: "/pub/").summaries(text) }
    }
}

/// A page of a bucket's list.
private func page(_ content: String) -> String {
    """
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
    <Name>b</Name><Prefix>P/</Prefix>\(content)</ListBucketResult>
    """
}

private func contents(_ key: String, size: Int = 5, _ more: String = "") -> String {
    "<Contents><Key>\(key)</Key>\(more)<Size>\(size)</Size><Owner><ID>x</ID><Key>no</Key></Owner></Contents>"
}

private func common(_ prefixes: String...) -> String {
    "<CommonPrefixes>" + prefixes.map { "<Prefix>\($0)</Prefix>" }.joined() + "</CommonPrefixes>"
}

private let encoding = "<EncodingType>url</EncodingType>"

@Suite struct `The list of a bucket` {
    private static let prefix = Array("P/".utf8)

    @Test(
        arguments: [
            ([], []),
            ([contents("P/a"), common("P/sub/")], ["file 'a' 5", "folder 'sub' -"]),
            ([common("P/a/", "P/b/")], ["folder 'a' -", "folder 'b' -"]),
            // The folder itself.
            ([contents("P/", size: 0), common("P/")], []),
            // Not decoded, and blanks belong to the name.
            ([contents("P/a+b%20&amp;"), contents("P/ c\t")], ["file 'a+b%20&' 5", "file ' c\t' 5"]),
            // Decoded where the server says so, before or behind the keys.
            (
                [encoding, contents("P/a+b%2B%01&#37;C3%A9"), common("P/s%26/")],
                ["file 'a b+\u{1}\u{E9}' 5", "folder 's&' -"]
            ),
            ([contents("P/a+b%2B"), common("P/s%26/"), encoding], ["file 'a b+' 5", "folder 's&' -"]),
            // An object for a folder; a server without a delimiter.
            ([contents("P/sub/", size: 0)], ["folder 'sub' -"]),
            (
                [contents("P/sub/a"), contents("P/sub/b/c"), common("P/sub/"), contents("P/t/a")],
                ["folder 'sub' -", "folder 't' -"]
            ),
            // The checks of names are not made here.
            ([common("P//"), contents("P/../"), contents("P/..")], ["folder '' -", "folder '..' -", "file '..' 5"]),
        ] as [([String], [String])])
    func `names files and folders`(content: [String], expected: [String]) throws {
        expectEqual(try BucketList(prefix: Self.prefix).summaries(page(content.joined())), expected, "\(content)")
    }

    @Test func `needs no namespace and no prefix`() throws {
        let text = "<ListBucketResult>\(contents("a"))\(common("/", "../"))</ListBucketResult>"
        expectEqual(try BucketList(prefix: []).summaries(text), ["file 'a' 5", "folder '' -", "folder '..' -"])
    }

    @Test func `gives times in UTC and validators of objects in one part`() throws {
        func version(_ tag: String) throws -> ListedVersion? {
            let facts = "<LastModified>2024-01-05T12:34:56.000Z</LastModified><ETag>\(tag)</ETag>"
            let bytes = Array(page(contents("P/a", facts)).utf8)
            return try BucketList(prefix: Self.prefix).result(of: bytes).entries.first?.version
        }
        let first = try version("&quot;0cc175b9&quot;")
        expectEqual(first?.time, time)
        expect(first?.tag != nil)
        expectNil(try version("&quot;0cc175b9-2&quot;")?.tag)
    }

    @Test(
        arguments: [
            ("<IsTruncated>false</IsTruncated><NextMarker>P/a</NextMarker>", nil, false),
            ("<IsTruncated>true</IsTruncated><NextContinuationToken>t==</NextContinuationToken>", "t==", false),
            ("<IsTruncated>true</IsTruncated>\(contents("P/b"))<NextMarker>P/c</NextMarker>", "P/c", true),
            // The first version without a delimiter names no marker.
            ("<IsTruncated>true</IsTruncated>\(contents("P/b"))\(common("P/a/"))", "P/b", true),
            ("\(contents("P/a"))\(common("P/b/"))<IsTruncated> true </IsTruncated>", "P/b/", true),
            // Encoded like the keys; the token is not.
            ("<IsTruncated>true</IsTruncated><NextMarker>P/a%2Bb</NextMarker>\(encoding)", "P/a+b", true),
            ("<IsTruncated>true</IsTruncated>\(contents("P/a%2Bb"))\(encoding)", "P/a+b", true),
            (
                "<IsTruncated>true</IsTruncated>\(encoding)<NextContinuationToken>a%2B+</NextContinuationToken>",
                "a%2B+", false
            ),
        ] as [(String, String?, Bool)])
    func `says how the next page is asked for`(content: String, token: String?, hasMarker: Bool) throws {
        let bytes = Array(page(content).utf8)
        var parser = BucketList(prefix: Self.prefix, after: "s")
        try bytes.withUnsafeBytes { bytes in try parser.read(bytes) { _ in } }
        let end = try parser.end { _ in }
        let expected = token.map { ListingEnd.continued(token: $0, isMarker: hasMarker) } ?? .complete
        expectEqual(end, expected, "\(content)")
    }

    @Test func `keeps no more keys than of some pages until it is known how they are written`() throws {
        var parser = BucketList(prefix: Self.prefix)
        var count = 0
        func read(_ text: String) throws {
            try Array(text.utf8).withUnsafeBytes { bytes in try parser.read(bytes) { _ in count += 1 } }
        }
        try read("<ListBucketResult>" + String(repeating: contents("P/a"), count: BucketList.mostHeld - 1))
        expectEqual(count, 0)
        try read(contents("P/%41"))
        expectEqual(count, BucketList.mostHeld)
        #expect(throws: ListingFault.self) { try read(encoding) }
    }

    @Test(
        arguments: [
            // No next page, or the same one again.
            page("<IsTruncated>true</IsTruncated>"),
            page("<IsTruncated>true</IsTruncated><NextContinuationToken>s</NextContinuationToken>"),
            // A key outside.
            page(contents("Q/a")), page(common("P")), page("<Contents/>"),
            // Another root, or cut short.
            "<Error><Code>NoSuchKey</Code></Error>", "<ListBucketResult><Contents>", "",
        ])
    func `is refused when it is wrong`(text: String) {
        #expect(throws: ListingFault.self) { try BucketList(prefix: Self.prefix, after: "s").summaries(text) }
    }
}

@Suite struct `A list in XML` {
    private static let responses = [
        response("/pub/", collection),
        response("/pub/a&#x26;\u{E9}", "<D:getcontentlength>5</D:getcontentlength>"),
        "<!-- <D:response> -->", response("/pub/<![CDATA[b]]>\r\n"), response("/pub/sub/", collection),
    ]
    private static let objects = [
        contents("P/a\r\nb&lt;&#13;"), contents("P/\u{1F600}"), common("P/sub/", "P/t/"),
        "<IsTruncated>true</IsTruncated><NextContinuationToken>t&amp;</NextContinuationToken>", encoding,
    ]

    @Test func `has the same entries wherever the bytes are cut`() throws {
        let seed = UInt64.random(in: 0...1 << 48)
        var random = SplitMix64(seed: seed)
        func check<Parser: ListingParser>(_ text: String, _ end: ListingEnd, _ parser: () -> Parser) throws {
            let bytes = Array(text.utf8)
            let whole = try parser().result(of: bytes)
            expectAtLeast(whole.entries.count, 3)
            expectEqual(whole.end, end)
            for longest in 1...40 {
                let cut = try parser().result(of: bytes) { Int.random(in: 1...longest, using: &random) }
                expectEqual(cut.entries, whole.entries, "seed \(seed)")
                expectEqual(cut.end, whole.end, "seed \(seed)")
            }
        }
        try check(multistatus(Self.responses.joined()), .complete) { DavList(path: "/pub/") }
        try check(page(Self.objects.joined()), .continued(token: "t&", isMarker: false)) {
            BucketList(prefix: Array("P/".utf8))
        }
    }

    @Test func `gives the entries before a fault`() throws {
        var parser = DavList(path: "/pub/")
        var entries: [ListedEntry] = []
        let bytes = Array(multistatus(response("/pub/a")).replacing("</D:multistatus>", with: "</x>").utf8)
        #expect(throws: ListingFault.self) {
            try bytes.withUnsafeBytes { bytes in try parser.read(bytes) { entries.append($0) } }
        }
        expectEqual(entries.map(\.name), [Array("a".utf8)])
        // The fault stays.
        #expect(throws: ListingFault.self) { try parser.end { _ in } }
    }

    @Test(arguments: ["<a b='", "<!-- ", "<?a ", "<D:response><D:href>", "<D:response><a"])
    func `is refused when a tag, comment or text does not end`(start: String) throws {
        var parser = DavList(path: "/pub/")
        let text = Array("<D:multistatus xmlns:D='DAV:'>\(start)".utf8)
        try text.withUnsafeBytes { bytes in try parser.read(bytes) { _ in } }
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
        #expect(throws: ListingFault.self) {
            for _ in 0..<70 { try part.withUnsafeBytes { bytes in try parser.read(bytes) { _ in } } }
        }
    }
}
