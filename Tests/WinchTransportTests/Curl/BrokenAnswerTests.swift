import FaultServer
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue
@testable import WinchTransport

/// Responses that are invalid, in the style of curl's own test data; each failure has Winch's message.
@Suite(.timeLimit(.minutes(5))) struct `A response that violates HTTP` {
    private static func ok(_ fields: String, _ body: String = "hello") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"
    }
    private static func chunked(_ body: String) -> String { ok("Transfer-Encoding: chunked", body) }

    private static let length = "Content-Length: "
    private static let blank = "a blank before the colon of Content-Length or Transfer-Encoding"
    private static let answers: [(String, String)] = [
        ("plain text\n", "not HTTP: no status line"),
        ("SSH-2.0-OpenSSH_9.2\r\n", "not HTTP: no status line"),
        ("\r\nHTTP/1.1 200 OK\r\n\r\n", "not HTTP: no status line"),
        ("HTTP/1.2 200 OK\r\n\(length)5\r\n\r\nhello", "HTTP version 1.2 is not supported"),
        ("HTTP/9.9 200 OK\r\n\(length)5\r\n\r\nhello", "HTTP version 9.9 is not supported"),
        ("HTTP/1.1 abc OK\r\n\(length)5\r\n\r\nhello", "malformed status line"),
        ("HTTP/1.1\r\n\(length)5\r\n\r\nhello", "malformed status line"),
        ("HTTP/1.1  200 OK\r\n\(length)5\r\n\r\nhello", "malformed status line"),
        ("HTTP/1.1 20 OK\r\n\(length)5\r\n\r\nhello", "malformed status line: the status has not three digits"),
        ("HTTP/1.1 2000 OK\r\n\(length)5\r\n\r\nhello", "malformed status line: the status has not three digits"),
        ("HTTP/1.1 -200 OK\r\n\(length)5\r\n\r\nhello", "malformed status line: the status has not three digits"),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhello", "unexpected status 101"),
        (ok("\(length)abc"), "the Content-Length is not a number"),
        (ok("\(length)-5"), "the Content-Length is not a number"),
        (ok("\(length)"), "the Content-Length is not a number"),
        (ok("\(length)5x"), "Content-Length: 5x"), (ok("\(length)+5"), "Content-Length: +5"),
        (ok("\(length)99999999999999999999"), "Content-Length: 99999999999999999999"),
        (ok("\(length)5, 6"), "Content-Length fields that disagree"),
        (ok("\(length)5\r\n\(length)6"), "Content-Length fields that disagree"),
        (ok("\(length)5\r\n\(length)x"), "the Content-Length is not a number"),
        (ok(" X: y\r\n\(length)5"), "malformed header: a blank before the first field"),
        (ok("nonsense\r\n\(length)5"), "a header line without a colon"),
        (ok("X: a\0b\r\n\(length)5"), "a NUL byte in the headers"),
        (chunked("5\r\nhello\r\n0\r\nX: a\0b\r\n\r\n"), "malformed trailer after the chunks"),
        (chunked("5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n"), "malformed chunk: no size"),
        (chunked("-5\r\nhello\r\n0\r\n\r\n"), "malformed chunk: no size"),
        (chunked("ffffffffffffffffff\r\nhello\r\n"), "malformed chunk: a size of more than 16 digits"),
        (chunked("5\r\nhelloX\r\n0\r\n\r\n"), "malformed chunk: no line end after its bytes"),
        (ok("Transfer-Encoding: foo"), "unexpected Transfer-Encoding"),
        (ok("Content-Length : 5"), blank), (ok("content-length\t: 5"), blank),
        (ok("\(length)5\r\nContent-Length : 5"), blank),
        (ok("Transfer-Encoding : chunked", "5\r\nhello\r\n0\r\n\r\n"), blank),
    ]

    /// The connection stays open: the fault is in the bytes received, and nothing is waited for.
    @Test(arguments: answers)
    func `is refused at once and not retried`(answer: String, words: String) async throws {
        try await Rig.serving { server, rig async throws in
            let failure = try await rig.fetch(server.rawURL(answer, "hold"), name: "f").failure
            expectEqual(failure, .badResponse(words))
            expectEqual(failure?.exitCode, 22)
            expect(!rig.folder.names.contains("f"))
        }
    }

    /// 110,000 bytes are more than libcurl accepts for a line.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nX: ", "a header line of more than 100 KiB"),
        (chunked("5\r\nhello\r\n0\r\nX: "), "a trailer line of more than 100 KiB"),
    ])
    func `by a line that is too long is refused`(start: String, words: String) async throws {
        try await Rig.serving { server, rig async throws in
            let url = server.rawURL(start, "fill=110000", "bytes=\r\n\r\n", "hold")
            try await expectEqual(rig.fetch(url, name: "f").failure, .badResponse(words))
        }
    }

    @Test(arguments: [
        ok("\(length)5, 5"), ok("Content-Length:5"), ok("X: y\r\n z\r\n\(length)5"), ok(": y\r\n\(length)5"),
        ok("X : y\r\nETag : \"a\"\r\n\(length)5"),
        ok("X: \(String(repeating: "y", count: 60_000))\r\n\(length)5"), "HTTP/1.1 200\r\n\(length)5\r\n\r\nhello",
        "http/1.1 200 OK\r\n\(length)5\r\n\r\nhello",
        ok("\(length)3\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"),
        "HTTP/1.1 200 OK\n\(length)5\n\nhello", chunked("0005;x=\"y\"\r\nhello\r\n0\r\nX: y\r\n\r\n"),
        String(repeating: "HTTP/1.1 103 E\r\n\r\n", count: 300) + ok("\(length)5"),
    ])
    func `in a harmless way still gives the file`(answer: String) async throws {
        try await Rig.serving { server, rig async throws in
            try await expectEqual(rig.fetch(server.rawURL(answer, "hold"), name: "f").saved, "f")
            try expectEqual(rig.folder.bytes("f"), Array("hello".utf8))
        }
    }

    @Test(arguments: [
        "HTTP/1.1 20", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\n\(length)5\r\n", "H",
        "HTTP/1.1 100 Interim\r\n\r\n", "HTTP/1.1 102 Interim\r\n\r\n", "HTTP/1.1 103 Interim\r\n\r\n",
    ])
    func `by ending within its head, or after an interim one, is a lost connection`(answer: String) async throws {
        try await Rig.serving { server, rig async throws in
            let failure = try await require(rig.fetch(server.rawURL(answer, "wait=0"), name: "f").failure)
            guard case .connectionLost = failure else {
                Issue.record("\(failure)")
                return
            }
            expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(failure), retryWait: .seconds(1)), .again)
        }
    }

    /// The body of an error response that never arrives or never ends.
    @Test(arguments: [
        "\(length)x", "X: y", "\(length)5\r\n\(length)6", "\(length)50", "\(length)5000000",
        "Transfer-Encoding: chunked", "Connection: close",
    ])
    func `in the body of an error does not delay the failure`(field: String) async throws {
        try await Rig.serving { server, rig async throws in
            let answer = "HTTP/1.1 410 Gone\r\n\(field)\r\n\r\n"
            let failure = try await rig.fetch(server.rawURL(answer, "hold"), name: "f").failure
            expect(
                failure
                    == (field == "\(Self.length)x"
                        ? .badResponse("the Content-Length is not a number") : .httpStatus(410)))
        }
    }
}
