import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchTransport

@Suite struct `The header and trailer lines of a response` {
    private var reader = HeadReader()

    private mutating func read(
        _ line: String, _ take: (inout HeadReader, UnsafeRawBufferPointer) -> HeadReader.Line = { $0.read($1) }
    ) -> HeadReader.Line {
        Array(line.utf8).withUnsafeBytes { take(&reader, $0) }
    }

    @Test mutating func `are a complete head after the blank line`() {
        guard case .status(let before) = read("HTTP/1.1 302 Found\r\n") else {
            Issue.record("no status")
            return
        }
        expectNil(before)
        _ = read("Location: /b\r\n")
        expect(!reader.isWhole)
        guard case .end = read("\r\n") else {
            Issue.record("no end")
            return
        }
        expect(reader.isWhole)
        guard case .status(let redirect) = read("HTTP/1.1 200 OK\r\n") else {
            Issue.record("no status")
            return
        }
        expectEqual(redirect, 302)
        expect(!reader.isWhole)
        expectEqual(reader.head.status, 200)
    }

    @Test(arguments: [(256, 1024), (4000, 10)])
    mutating func `are limited in bytes and number`(lines: Int, length: Int) {
        let line = "A: " + String(repeating: "b", count: length - 3)
        for _ in 0..<lines {
            guard case .other = read(line) else {
                Issue.record("too soon")
                return
            }
        }
        guard case .tooMuch = read(line) else {
            Issue.record("not noticed")
            return
        }
        guard case .tooMuch = read("x: y", { $0.read(trailer: $1) }),
            case .tooMuch = read("220 x", { $0.read(reply: $1, hiding: { $0 }) })
        else {
            Issue.record("other lines count apart")
            return
        }
    }

    @Test mutating func `may add a digest after the body, but nothing else`() {
        _ = read("HTTP/1.1 200 OK")
        _ = read("")
        _ = read("Repr-Digest: sha-256=:AAAA:", { $0.read(trailer: $1) })
        _ = read("Content-Length: 5", { $0.read(trailer: $1) })
        expectEqual(reader.head.reprDigest, "sha-256=:AAAA:")
        expectEqual(reader.head.contentLength, .absent)
    }

    @Test mutating func `of a busy FTP server are kept, the first of them`() {
        for line in ["220 welcome", "421 Too many users", "421 Good bye"] {
            _ = read(line, { $0.read(reply: $1, hiding: { $0 }) })
        }
        expectEqual(reader.busyReply, "421 Too many users")
    }

    @Test(arguments: [("421 Not now", nil), ("421 Too many downloads", "421 Too many downloads")])
    mutating func `of an FTP server after the login say by words only that it is full`(line: String, reply: String?) {
        reader.isRequested = true
        _ = read(line, { $0.read(reply: $1, hiding: { $0 }) })
        expectEqual(reader.busyReply, reply)
    }

    @Test mutating func `of an FTP server that refuses are kept, the last of them`() {
        for line in ["500 ?\r\n", "553-Not\r\n", "553 Not allowed\r\n", "226 done\r\n", "5x3 \r\n", "553"] {
            _ = read(line, { $0.read(reply: $1, hiding: { $0 }) })
        }
        expectEqual(reader.refusal, "553 Not allowed")
    }

    /// Secrets are hidden before a long line is cut; the code stays, of which a short password may be a part.
    @Test(arguments: [
        ("530 wrong: 5\r\n", "5", "530 wrong: ***"), ("530 5 is not it", "530", "530 5 is not it"),
        (
            "530 " + String(repeating: "x", count: 194) + "secret", "secret",
            "530 " + String(repeating: "x", count: 194) + "**"
        ),
    ])
    mutating func `of an FTP server show no secret`(line: String, secret: String, shown: String) {
        _ = read(line, { $0.read(reply: $1, hiding: { $0.replacing(secret, with: "***") }) })
        expectEqual(reader.refusal, shown)
    }
}
