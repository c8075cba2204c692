import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel

@Suite struct `A response verdict` {
    private static let tag = Validator.strongETag("\"a\"")

    private func asked(_ offset: Int64, of total: Int64? = 1000, _ validator: Validator? = tag) throws -> RangeRequest {
        try require(
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
            (
                ["HTTP/1.1 206 Partial", "Content-Range: bytes 5-9/10"],
                .fail(.badResponse("status 206 with a part to a request for the whole file"))
            ),
            (
                ["HTTP/1.1 206 Partial", "Content-Range: bytes 0-9/*"],
                .fail(.badResponse("status 206 with a part to a request for the whole file"))
            ),
            (
                ["HTTP/1.1 200 OK", "Content-Range: bytes 0-9/1000", "Content-Length: 10"],
                .open(offset: 0, end: 10, total: 1000, startedOver: nil)
            ),
            (
                ["HTTP/1.1 200 OK", "Content-Range: bytes 5-9/1000", "Content-Length: 5"],
                .fail(.badResponse("status 200 with a part to a request for the whole file"))
            ),
            (
                ["HTTP/1.1 200 OK", "Content-Range: bytes 0-9/10"],
                .open(offset: 0, end: 10, total: 10, startedOver: nil)
            ),
            (
                ["HTTP/1.1 200 OK", "Content-Range: bytes 0-9/1000", "Content-Length: 1000"],
                .open(offset: 0, end: 1000, total: 1000, startedOver: nil)
            ),
            (["HTTP/1.1 206 Partial"], .fail(.badResponse("status 206 without a usable Content-Range"))),
            (["HTTP/1.1 204 No Content"], .fail(.badResponse("status 204: no content"))),
            (["HTTP/1.1 202 Accepted", "Content-Length: 24"], .fail(.httpStatus(202))),
            (["HTTP/1.1 207 Multi-Status", "Content-Length: 24"], .fail(.httpStatus(207))),
            (["HTTP/1.1 404 Not Found", "Content-Length: x"], .fail(.httpStatus(404))),
            (["HTTP/1.1 416 No", "Content-Range: bytes */0"], .fail(.httpStatus(416))),
            (
                ["HTTP/1.1 304 Not Modified"],
                .fail(.badResponse("status 304 (not modified) to a request without a condition"))
            ),
            (["HTTP/1.1 200 OK", "Content-Length: 0x10"], .fail(.badResponse("Content-Length: 0x10"))),
            (
                ["HTTP/1.1 200 OK", "Content-Length: 1", "Content-Length: 2"],
                .fail(.badResponse("Content-Length fields that disagree"))
            ),
        ] as [([String], ResponseVerdict)])
    func `on a request for the whole file depends on status and length`(lines: [String], verdict: ResponseVerdict) {
        var head = ResponseHead()
        for line in lines { head.read(line) }
        expectEqual(ResponseVerdict(head, asked: nil), verdict)
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
    func `on a requested range depends on Content-Range`(range: String, verdict: ResponseVerdict) throws {
        let head = ResponseHead("HTTP/1.1 206 Partial Content", "ETag: \"a\"", "Content-Range: \(range)")
        expectEqual(ResponseVerdict(head, asked: try asked(400)), verdict)
    }

    @Test(
        arguments: [
            ("W/\"a\"", false), ("\"a\"", false), ("", false), ("W/\"b\"", true), ("\"b\"", true), ("b", true),
        ])
    func `on a part is to start over when the weak ETag is another one`(tag: String, isChanged: Bool) throws {
        let head = ResponseHead("HTTP/1.1 206 Partial Content", "ETag: \(tag)", "Content-Range: bytes 0-999/1000")
        for validator in [nil, Validator.lastModified("Sun, 22 Nov 2026 10:00:00 GMT")] {
            var here = try asked(400, validator)
            here.weakTag = "W/\"a\""
            expectEqual(here.condition, validator)
            expect((ResponseVerdict(head, asked: here) == .startOver(.fileChanged)) == isChanged)
            // At another URL a tag may have no meaning.
            here.isElsewhere = true
            expect(ResponseVerdict(head, asked: here) != .startOver(.fileChanged))
        }
    }

    @Test func `on the whole file is not to compare when the weak ETag is another one`() throws {
        let date = "Sun, 22 Nov 2026 10:00:00 GMT"
        let head = ResponseHead(
            "HTTP/1.1 200 OK", "ETag: W/\"b\"", "Last-Modified: \(date)", "Content-Length: 1000")
        var here = try asked(400, .lastModified(date))
        expectEqual(ResponseVerdict(head, asked: here), .reread(total: 1000))
        here.weakTag = "W/\"a\""
        expectEqual(
            ResponseVerdict(head, asked: here), .open(offset: 0, end: 1000, total: 1000, startedOver: .fileChanged))
    }

    @Test func `on a part of another version is to start over`() throws {
        for field in ["ETag: \"b\"", "ETag: W/\"a\""] {
            let head = ResponseHead("HTTP/1.1 206 Partial Content", field, "Content-Range: bytes 400-999/1000")
            expectEqual(ResponseVerdict(head, asked: try asked(400)), .startOver(.fileChanged))
        }
    }

    @Test(
        arguments: [
            (
                "bytes 5904-19999/20000",
                .open(offset: 10_000, overlap: 4096, end: 20_000, total: 20_000, startedOver: nil)
            ),
            (
                "bytes 0-19999/20000",
                .open(offset: 10_000, overlap: 10_000, end: 20_000, total: 20_000, startedOver: nil)
            ),
            (
                "bytes 5904-9999/20000",
                .open(offset: 10_000, overlap: 4096, end: 10_000, total: 20_000, startedOver: nil)
            ),
            ("bytes 5904-9998/20000", .startOver(.rangeRefused)), ("bytes 5905-19999/20000", .startOver(.rangeRefused)),
            ("bytes 5904-19999/20001", .startOver(.fileChanged)), ("bytes 5904-19999/*", .startOver(.fileChanged)),
        ] as [(String, ResponseVerdict)])
    func `on a part without a validator requires the last bytes again`(
        range: String, verdict: ResponseVerdict
    ) throws {
        let head = ResponseHead("HTTP/1.1 206 Partial Content", "Content-Range: \(range)")
        expectEqual(ResponseVerdict(head, asked: try asked(10_000, of: 20_000, nil)), verdict)
    }

    @Test func `on a part without a tag in the response requires the last bytes too`() throws {
        let head = ResponseHead("HTTP/1.1 206 Partial Content", "Content-Range: bytes 400-999/1000")
        expectEqual(ResponseVerdict(head, asked: try asked(400)), .compare)
        let encoded = ResponseHead(
            "HTTP/1.1 206 Partial Content", "Content-Range: bytes 400-999/1000", "Content-Encoding: gzip")
        expectEqual(ResponseVerdict(encoded, asked: try asked(400)), .startOver(.rangeRefused))
    }

    /// Another URL has its own tags: the part is accepted if size and compared bytes match, or if the tag is equal.
    @Test(
        arguments: [
            (
                1000, "bytes 0-999/1000", "\"b\"",
                .open(offset: 400, overlap: 400, end: 1000, total: 1000, startedOver: nil)
            ),
            (1000, "bytes 0-998/999", "\"a\"", .startOver(.fileChanged)),
            (
                nil, "bytes 0-999/1000", "\"a\"",
                .open(offset: 400, overlap: 400, end: 1000, total: 1000, startedOver: nil)
            ),
            (nil, "bytes 0-999/1000", "\"b\"", .startOver(.fileChanged)),
        ] as [(Int64?, String, String, ResponseVerdict)])
    func `on a part from another URL depends on size or tag`(
        total: Int64?, range: String, tag: String, verdict: ResponseVerdict
    ) throws {
        let resume = ResumePoint(
            partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 400), total: total.map { ByteCount(bytes: $0) },
            validator: Self.tag)
        let elsewhere = try require(RangeRequest(resume, isElsewhere: true))
        expectNil(elsewhere.condition)
        let head = ResponseHead("HTTP/1.1 206 Partial Content", "ETag: \(tag)", "Content-Range: \(range)")
        expectEqual(ResponseVerdict(head, asked: elsewhere), verdict)
    }

    @Test(
        arguments: [
            (["Content-Length: 1000", "ETag: \"a\""], .reread(total: 1000)),
            (["Content-Length: 1000"], .open(offset: 0, end: 1000, total: 1000, startedOver: .rangeIgnored)),
        ] as [([String], ResponseVerdict)])
    func `on the whole unchanged file keeps the bytes on disk`(
        fields: [String], verdict: ResponseVerdict
    ) throws {
        var head = ResponseHead("HTTP/1.1 200 OK")
        for field in fields { head.read(field) }
        expectEqual(ResponseVerdict(head, asked: try asked(400)), verdict)
    }

    @Test(
        arguments: [
            (["Content-Range: bytes 400-999/1000"], .open(offset: 400, end: 1000, total: 1000, startedOver: nil)),
            (
                ["Content-Range: bytes 400-999/1000", "Content-Length: 600"],
                .open(offset: 400, end: 1000, total: 1000, startedOver: nil)
            ),
            (["Content-Range: bytes 400-999/1000", "Content-Length: 1000"], .reread(total: 1000)),
            (["Content-Range: bytes 500-999/1000"], .startOver(.rangeRefused)),
            (["Content-Length: 600"], .startOver(.rangeRefused)),
            (["Content-Length: 999"], .startOver(.rangeRefused)),
            (["Transfer-Encoding: chunked"], .startOver(.rangeRefused)), ([], .startOver(.rangeRefused)),
        ] as [([String], ResponseVerdict)])
    func `on a part with the status of the whole depends on position and length`(
        fields: [String], verdict: ResponseVerdict
    ) throws {
        var head = ResponseHead("HTTP/1.1 200 OK", "ETag: \"a\"")
        for field in fields { head.read(field) }
        expectEqual(ResponseVerdict(head, asked: try asked(400)), verdict)
    }

    @Test func `on a possible part of another version is to request the whole`() throws {
        let part = ResponseHead("HTTP/1.1 200 OK", "ETag: \"b\"", "Content-Length: 600")
        expectEqual(ResponseVerdict(part, asked: try asked(400)), .startOver(.rangeRefused))
        // All of a file whose size is not known cannot be told from a part.
        let unknown = ResponseHead("HTTP/1.1 200 OK", "ETag: \"a\"", "Content-Length: 600")
        expectEqual(ResponseVerdict(unknown, asked: try asked(400, of: nil)), .startOver(.rangeRefused))
        expectEqual(ResponseVerdict(unknown, asked: nil, refused: try asked(400, of: nil)), .reread(total: 600))
    }

    /// The end of the part may be anywhere in the file, which would be called finished there.
    @Test func `on a part of a file whose size nobody has named is to request the whole`() throws {
        for (range, verdict) in [
            ("400-999/*", .startOver(.rangeRefused)),
            ("400-999/1000", .open(offset: 400, end: 1000, total: 1000, startedOver: nil)),
        ] as [(String, ResponseVerdict)] {
            let head = ResponseHead("HTTP/1.1 206 Partial Content", "ETag: \"a\"", "Content-Range: bytes \(range)")
            expectEqual(ResponseVerdict(head, asked: try asked(400, of: nil)), verdict)
        }
    }

    @Test func `on a part whose length contradicts its range is to request the whole once`() throws {
        let head = ResponseHead(
            "HTTP/1.1 206 Partial Content", "Content-Range: bytes 400-999/1000", "Content-Length: 599")
        expectEqual(ResponseVerdict(head, asked: try asked(400)), .startOver(.rangeRefused))
        let whole = ResponseHead(
            "HTTP/1.1 206 Partial Content", "Content-Range: bytes 0-999/1000", "Content-Length: 599")
        expectEqual(
            ResponseVerdict(whole, asked: nil), .fail(.badResponse("Content-Range and Content-Length disagree")))
    }

    @Test(
        arguments: [
            (["Content-Length: 1000"], .rangeIgnored), (["Content-Length: 999", "ETag: \"b\""], .fileChanged),
            (["Content-Length: 1000", "ETag: \"b\""], .fileChanged),
        ] as [([String], Rebase.Cause)])
    func `on the whole file gives the cause for starting over`(fields: [String], cause: Rebase.Cause) throws {
        var head = ResponseHead("HTTP/1.1 200 OK")
        for field in fields { head.read(field) }
        let length = head.bodyLength
        expectEqual(
            ResponseVerdict(head, asked: try asked(400)),
            .open(offset: 0, end: length, total: length, startedOver: cause))
        expectEqual(
            ResponseVerdict(head, asked: nil, refused: try asked(400)),
            .open(
                offset: 0, end: length, total: length,
                startedOver: cause == .rangeIgnored ? .rangeRefused : cause))
    }

    @Test func `on bytes of no version in place of the file is a failure, by which nothing is lost`() throws {
        let notice = ResponseHead("HTTP/1.1 200 OK", "Content-Length: 17", "Content-Type: application/json")
        expectEqual(ResponseVerdict(notice, asked: try asked(400)), .startOver(.rangeRefused))
        guard case .fail(.badResponse) = ResponseVerdict(notice, asked: nil, refused: try asked(400)) else {
            return expect(false)
        }
    }

    @Test func `on the whole of the version that is kept leaves that, also when its rest was refused`() throws {
        let others: [([String], Rebase.Cause)] = [([], .rangeRefused), (["Content-Length: 999"], .fileChanged)]
        for (fields, cause) in others {
            var other = ResponseHead("HTTP/1.1 200 OK", "ETag: \"a\"")
            for field in fields { other.read(field) }
            let length = other.bodyLength
            expectEqual(
                ResponseVerdict(other, asked: nil, refused: try asked(400)),
                .open(offset: 0, end: length, total: length, startedOver: cause))
        }
        let head = ResponseHead("HTTP/1.1 200 OK", "Content-Length: 1000", "ETag: \"a\"")
        expectEqual(ResponseVerdict(head, asked: nil, refused: try asked(400)), .reread(total: 1000))
        let ranges = ResponseHead("HTTP/1.1 200 OK", "Content-Length: 1000", "ETag: \"a\"", "Accept-Ranges: bytes")
        var refused = try asked(400)
        expectEqual(ResponseVerdict(ranges, asked: nil, refused: refused), .askAgain)
        refused.isRepeated = true
        expectEqual(ResponseVerdict(ranges, asked: nil, refused: refused), .reread(total: 1000))
        expectEqual(
            ResponseVerdict(head, asked: nil), .open(offset: 0, end: 1000, total: 1000, startedOver: nil))
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
    func `on a 416 depends on the size`(have: Int64, total: Int64?, range: String, verdict: ResponseVerdict) throws {
        let head = ResponseHead("HTTP/1.1 416 Range Not Satisfiable", "Content-Range: \(range)")
        expectEqual(ResponseVerdict(head, asked: try asked(have, of: total)), verdict)
    }

    @Test func `on any refusal of a range is to request the whole, unless a login or another time is asked for`() throws
    {
        var range = try asked(400)
        func startsOver(_ status: Int, _ asked: RangeRequest?) -> Bool {
            let head = ResponseHead("HTTP/1.1 \(status) No", "Content-Length: 0")
            return ResponseVerdict(head, asked: asked) == .startOver(.rangeRefused)
        }
        let noFiles = [201, 202, 204, 205, 207, 208, 226] + Array(300...499)
        expectEqual(
            noFiles.filter { !startsOver($0, range) }, [202, 401, 407, 408, 421, 423, 425, 429])
        expectEqual((500...599).filter { startsOver($0, range) }, [501, 505, 506, 508, 510])
        expectEqual((100...199).filter { startsOver($0, range) }, [])
        range.followsRefusal = true
        expectEqual((500...599).filter { !startsOver($0, range) }, [503, 511], "has not passed")
        expectEqual((100...599).filter { startsOver($0, nil) }, [])
    }

    @Test func `on a part whose framing is broken is to request the whole`() throws {
        let head = ResponseHead(
            "HTTP/1.1 206 Partial Content", "Content-Range: bytes 400-999/1000", "Content-Length: 0x258")
        expectEqual(ResponseVerdict(head, asked: try asked(400)), .startOver(.rangeRefused))
    }

    @Test func `on a refused range does not accept the size alone as proof`() throws {
        let head = ResponseHead("HTTP/1.1 416 Range Not Satisfiable", "Content-Range: bytes */1000")
        expectEqual(ResponseVerdict(head, asked: try asked(1000, of: 1000, nil)), .startOver(.rangeRefused))
    }

    @Test(
        arguments: [
            (10_000, Self.tag, false, "10000-"), (10_000, nil, false, "5904-"),
            (10_000, .lastModified("d"), false, "5904-"),
            (10_000, Self.tag, true, "5904-"), (100, nil, false, "0-"), (4096, nil, false, "0-"),
            (4097, nil, false, "1-"),
        ] as [(Int64, Validator?, Bool, String)])
    func `needs an overlap in the request unless a strong tag is known`(
        have: Int64, validator: Validator?, isComparing: Bool, range: String
    ) throws {
        let resume = ResumePoint(
            partPath: "p", targetPath: "t", have: ByteCount(bytes: have), total: ByteCount(bytes: 20_000),
            validator: validator)
        expectEqual(RangeRequest(resume, isComparing: isComparing)?.rangeText, range)
    }

    @Test func `needs a request for the whole file when nothing could validate the part`() {
        let nothing = ResumePoint(partPath: "p", targetPath: "t", have: ByteCount(bytes: 5))
        expectNil(RangeRequest(nothing))
        let empty = ResumePoint(partPath: "p", targetPath: "t", total: ByteCount(bytes: 5), validator: Self.tag)
        expectNil(RangeRequest(empty))
        let tooMuch = ResumePoint(
            partPath: "p", targetPath: "t", have: ByteCount(bytes: 6), total: ByteCount(bytes: 5), validator: Self.tag)
        expectNil(RangeRequest(tooMuch))
    }
}
