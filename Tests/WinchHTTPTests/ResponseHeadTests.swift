import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

extension ResponseHead {
    /// A head as it arrives, line by line.
    init(_ lines: String...) {
        self.init()
        for line in lines { read(line) }
    }

    @discardableResult
    mutating func read(_ line: String) -> Line {
        Array((line + "\r\n").utf8).withUnsafeBytes { read($0) }
    }
}

@Suite struct `A response head` {
    @Test func `is read line by line`() {
        var head = ResponseHead()
        expectEqual(head.read("HTTP/1.1 206 Partial Content"), .status)
        expectEqual(head.read("content-range:bytes 5-9/10"), .field)
        expectEqual(head.read("ETAG:  \"abc\"  "), .field)
        expectEqual(head.read(""), .end)
        expectEqual(head.status, 206)
        expectEqual(head.contentRange, .span(first: 5, last: 9, total: 10))
        expectEqual(head.validator, .strongETag("\"abc\""))
    }

    /// libcurl follows the first one, and that is the one to judge.
    @Test func `has the first of several locations that is not empty`() {
        let head = ResponseHead("HTTP/1.1 302 Found", "Location:", "Location: http://a/", "Location: /b", "")
        expectEqual(head.location, "http://a/")
    }

    @Test(
        arguments: [
            ("1048576", 1_048_576), ("-1", nil), ("+5", nil), ("5x", nil), ("0x10", nil),
            ("99999999999999999999", nil), ("1 2", nil),
        ] as [(String, Int64?)])
    func `has the offset of an upload only if it is a number of bytes`(text: String, offset: Int64?) {
        expectEqual(ResponseHead("HTTP/1.1 204 No Content", "Upload-Offset: \(text)", "").uploadOffset, offset)
    }

    @Test func `discards an interim response when the next one begins`() {
        let head = ResponseHead("HTTP/1.1 103 Early Hints", "ETag: \"hint\"", "", "HTTP/2 200", "Content-Length: 3", "")
        expectEqual(head.status, 200)
        expectNil(head.entityTag)
        expectEqual(head.bodyLength, 3)
    }

    @Test(
        arguments: [
            ("ETag: W/\"weak\"", nil), ("ETag: bare", nil), ("ETag: \"", nil), ("ETag: \"\"", .strongETag("\"\"")),
            ("Last-Modified: yesterday", nil), ("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Validator?)])
    func `has a validator only if it is a strong one`(field: String, validator: Validator?) {
        expectEqual(ResponseHead("HTTP/1.1 200 OK", field).validator, validator)
    }

    /// A file that was changed in the second of the response may change again in the same second.
    @Test(arguments: [("08:49:36", false), ("08:49:37", false), ("08:49:38", true), ("no time", false)])
    func `uses Last-Modified as a validator only when Date is later`(time: String, isValidator: Bool) {
        let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
        let head = ResponseHead(
            "HTTP/1.1 200 OK", "Last-Modified: \(changed)", "Date: Sun, 06 Nov 1994 \(time) GMT")
        expect(head.validator == (isValidator ? .lastModified(changed) : nil))
    }

    @Test(
        arguments: [
            (["NTLM", "Negotiate, Bearer realm=\"Basic, x\", scope = a"], "NTLM, Negotiate, Bearer", false),
            (["Negotiate TlRMTVNT=="], "Negotiate", false), (["NTLM", "basic realm=\"x\""], nil, false),
            (["Digest realm=\"a\", qop=\"auth,auth-int\"", "NTLM"], nil, true),
            (["Bearer, digest realm=\"x\""], nil, true), (["=x, ,"], nil, false), ([], nil, false),
        ] as [([String], String?, Bool)])
    func `tells which ways to log in are offered`(challenges: [String], foreign: String?, offersDigest: Bool) {
        var head = ResponseHead("HTTP/1.1 401 x")
        for challenge in challenges { head.read("WWW-Authenticate: " + challenge) }
        expectEqual(head.foreignLogins, foreign)
        expectEqual(head.offersDigest, offersDigest)
    }

    @Test(arguments: [("gzip", true), ("Identity", false), ("br, gzip", true)])
    func `detects a content coding`(coding: String, isCoded: Bool) {
        expectEqual(ResponseHead("HTTP/1.1 200 OK", "Content-Encoding: \(coding)").hasContentCoding, isCoded)
        expect(!ResponseHead("HTTP/1.1 200 OK").hasContentCoding)
    }

    @Test(
        arguments: [
            ("gzip", "page.html", nil, "gzip"), ("GZIP", "a.tar.gz", nil, nil), ("x-gzip", "A.TGZ", nil, nil),
            ("gzip", "logo.svgz", nil, nil), ("gzip", "gz", nil, "gzip"), ("br", "a.gz", nil, "br"),
            ("br", "a.js.br", nil, nil), ("gzip", "a", "application/gzip", nil), ("gzip", "a", "text/css", "gzip"),
            ("identity", "a", nil, nil), ("br, gzip", "a.gz", nil, "br, gzip"), ("", "a", nil, nil),
        ] as [(String, String, String?, String?)])
    func `tells a content coding that the file's name or type does not have`(
        coding: String, name: String, type: String?, unexpected: String?
    ) {
        var head = ResponseHead("HTTP/1.1 200 OK", "Content-Encoding: \(coding)")
        if let type { head.read("Content-Type: \(type)") }
        expectEqual(head.unexpectedCoding(of: name), unexpected)
    }

    @Test(arguments: [
        "", ":", "no colon", " folded: x", "HTTP/1.1 abc", "HTTP/1.1", "\u{0}\u{1}", "Content-Length",
        "Lin\u{212A}: </a>; rel=duplicate",
    ])
    func `ignores lines that are not fields`(line: String) {
        var head = ResponseHead("HTTP/1.1 200 OK", "Content-Length: 4")
        head.read(line)
        expectEqual(head.status, 200)
        expectEqual(head.bodyLength, 4)
        expect(head.links.isEmpty)
    }
}
