import Testing
import WinchCore

@Suite struct `A response verdict` {
    private static let tag = Validator.strongETag("\"a\"")

    private func asked(_ offset: Int64, of total: Int64? = 1000, _ validator: Validator? = tag) throws -> RangeRequest {
        try #require(
            RangeRequest(
                ResumePoint(
                    partPath: "f.part", targetPath: "f", have: ByteCount(bytes: offset),
                    total: total.map { ByteCount(bytes: $0) }, validator: validator)))
    }

    @Test(
        arguments: [
            (["HTTP/1.1 200 OK", "Content-Length: 1000"], .open(offset: 0, end: 1000, total: 1000, startedOver: nil)),
            (["HTTP/1.1 200 OK"], .open(offset: 0, end: nil, total: nil, startedOver: nil)),
            (["HTTP/1.1 203 Fine", "Content-Length: 0"], .open(offset: 0, end: 0, total: 0, startedOver: nil)),
            (
                ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Content-Length: 5"],
                .open(offset: 0, end: nil, total: nil, startedOver: nil)
            ),
            (
                ["HTTP/1.1 206 Partial", "Content-Range: bytes 0-9/10"],
                .open(offset: 0, end: 10, total: 10, startedOver: nil)
            ),
            (["HTTP/1.1 206 Partial", "Content-Range: bytes 5-9/10"], .fail(.badResponse("a part nobody asked for"))),
            (["HTTP/1.1 206 Partial"], .fail(.badResponse("a part without its place"))),
            (["HTTP/1.1 204 No Content"], .fail(.badResponse("204: the server has no file there"))),
            (["HTTP/1.1 404 Not Found", "Content-Length: x"], .fail(.httpStatus(404))),
            (["HTTP/1.1 416 No", "Content-Range: bytes */0"], .fail(.httpStatus(416))),
            (["HTTP/1.1 304 Not Modified"], .fail(.badResponse("304: the server says unchanged, though nobody asked"))),
            (["HTTP/1.1 200 OK", "Content-Length: 0x10"], .fail(.badResponse("Content-Length: 0x10"))),
            (
                ["HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2"],
                .fail(.badResponse("several Content-Lengths that disagree"))
            ),
        ] as [([String], ResponseVerdict)])
    func `on the whole file`(lines: [String], verdict: ResponseVerdict) {
        var head = ResponseHead()
        for line in lines { head.read(line) }
        #expect(ResponseVerdict(head, asked: nil) == verdict)
    }

    @Test(
        arguments: [
            ("bytes 400-999/1000", .open(offset: 400, end: 1000, total: 1000, startedOver: nil)),
            ("bytes 400-499/1000", .open(offset: 400, end: 500, total: 1000, startedOver: nil)),
            ("bytes 400-999/*", .open(offset: 400, end: 1000, total: 1000, startedOver: nil)),
            ("bytes 399-999/1000", .open(offset: 399, end: 1000, total: 1000, startedOver: .rangeStartedEarlier)),
            ("bytes 0-999/1000", .open(offset: 0, end: 1000, total: 1000, startedOver: .rangeStartedEarlier)),
            ("bytes 0-99/1000", .startOver(.rangeRefused)),
            ("bytes 401-999/1000", .startOver(.rangeRefused)),
            ("bytes 400-999/1001", .startOver(.fileChanged)),
            ("bytes 999-400/1000", .startOver(.rangeRefused)),
            ("lines 400-999/1000", .startOver(.rangeRefused)),
            ("bytes */1000", .startOver(.rangeRefused)),
            ("", .startOver(.rangeRefused)),
        ] as [(String, ResponseVerdict)])
    func `on a part that was asked for`(range: String, verdict: ResponseVerdict) throws {
        let head = ResponseHead("HTTP/1.1 206 Partial Content", "ETag: \"a\"", "Content-Range: \(range)")
        #expect(ResponseVerdict(head, asked: try asked(400)) == verdict)
    }

    @Test func `on a part of another version is to start over`() throws {
        for field in ["ETag: \"b\"", "ETag: W/\"a\""] {
            let head = ResponseHead("HTTP/1.1 206 Partial Content", field, "Content-Range: bytes 400-999/1000")
            #expect(ResponseVerdict(head, asked: try asked(400)) == .startOver(.fileChanged))
        }
    }

    @Test func `on a part takes the size for a witness when there is no validator`() throws {
        let same = ResponseHead("HTTP/1.1 206 Partial Content", "Content-Range: bytes 400-999/1000")
        #expect(
            ResponseVerdict(same, asked: try asked(400, nil))
                == .open(offset: 400, end: 1000, total: 1000, startedOver: nil))
        let silent = ResponseHead("HTTP/1.1 206 Partial Content", "Content-Range: bytes 400-999/*")
        #expect(ResponseVerdict(silent, asked: try asked(400, nil)) == .startOver(.fileChanged))
    }

    @Test func `on a part whose length contradicts its place is a failure`() throws {
        let head = ResponseHead(
            "HTTP/1.1 206 Partial Content", "Content-Range: bytes 400-999/1000", "Content-Length: 599")
        #expect(
            ResponseVerdict(head, asked: try asked(400))
                == .fail(.badResponse("Content-Range and Content-Length disagree")))
    }

    @Test(
        arguments: [
            (["Content-Length: 1000", "ETag: \"a\""], .rangeIgnored), (["Content-Length: 1000"], .rangeIgnored),
            (["ETag: \"a\""], .rangeIgnored), (["Content-Length: 999", "ETag: \"a\""], .fileChanged),
            (["Content-Length: 1000", "ETag: \"b\""], .fileChanged),
        ] as [([String], Rebase.Cause)])
    func `on the whole instead of a part tells why it starts over`(fields: [String], cause: Rebase.Cause) throws {
        var head = ResponseHead("HTTP/1.1 200 OK")
        for field in fields { head.read(field) }
        let length = head.bodyLength
        #expect(
            ResponseVerdict(head, asked: try asked(400))
                == .open(offset: 0, end: length, total: length, startedOver: cause))
    }

    @Test(
        arguments: [
            (1000, 1000, "bytes */1000", .alreadyComplete(total: 1000)),
            (1000, nil, "bytes */1000", .alreadyComplete(total: 1000)),
            (400, 1000, "bytes */1000", .startOver(.rangeRefused)),
            (400, nil, "bytes */300", .startOver(.rangeRefused)),
            (1000, 1000, "bytes */900", .startOver(.fileChanged)),
            (1000, 1000, "", .startOver(.rangeRefused)),
        ] as [(Int64, Int64?, String, ResponseVerdict)])
    func `on a refused range`(have: Int64, total: Int64?, range: String, verdict: ResponseVerdict) throws {
        let head = ResponseHead("HTTP/1.1 416 Range Not Satisfiable", "Content-Range: \(range)")
        #expect(ResponseVerdict(head, asked: try asked(have, of: total)) == verdict)
    }

    @Test func `asks for no range that nothing could prove`() {
        let nothing = ResumePoint(partPath: "p", targetPath: "t", have: ByteCount(bytes: 5))
        #expect(RangeRequest(nothing) == nil)
        let empty = ResumePoint(partPath: "p", targetPath: "t", total: ByteCount(bytes: 5), validator: Self.tag)
        #expect(RangeRequest(empty) == nil)
        let tooMuch = ResumePoint(
            partPath: "p", targetPath: "t", have: ByteCount(bytes: 6), total: ByteCount(bytes: 5), validator: Self.tag)
        #expect(RangeRequest(tooMuch) == nil)
    }
}
