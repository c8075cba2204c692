import TestSupport
import Testing

@testable import WinchHTTP
@testable import WinchModel
@testable import WinchQueue
@testable import WinchTransport

@Suite struct `The header and trailer lines of a response` {
    private var reader = HeadReader()

    private mutating func read(
        _ line: String, _ take: (inout HeadReader, UnsafeRawBufferPointer) -> HeadReader.Line = { $0.read($1) }
    ) -> HeadReader.Line {
        Array(line.utf8).withUnsafeBytes { take(&reader, $0) }
    }

    @Test mutating func `are a complete head after the blank line`() {
        expectEqual(read("HTTP/1.1 302 Found\r\n"), .status(redirect: nil))
        _ = read("Location: /b\r\n")
        expect(!reader.isWhole)
        expectEqual(read("\r\n"), .end)
        expect(reader.isWhole)
        expectEqual(read("HTTP/1.1 200 OK\r\n"), .status(redirect: 302))
        expect(!reader.isWhole)
        expectEqual(reader.head.status, 200)
    }

    @Test(arguments: [(256, 1024), (4000, 10)])
    mutating func `are limited in bytes and number`(lines: Int, length: Int) {
        let line = "A: " + String(repeating: "b", count: length - 3)
        for _ in 0..<lines { expectEqual(read(line), .other) }
        expectEqual(read(line), .tooMuch)
        expectEqual(read("x: y", { $0.read(trailer: $1) }), .tooMuch, "other lines count as well")
        expectEqual(read("220 x", { $0.read(reply: $1, hiding: { $0 }) }), .tooMuch)
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

    @Test(
        arguments: [
            ("213 -1", true), ("213 1,234", true), ("213 0", false), ("213 1234", false), ("213 unknown", false),
            ("213 20240105123456.789", false), ("213-status", false), ("550 -1", false),
        ])
    mutating func `of an FTP server name no size that libcurl takes for one`(line: String, isNone: Bool) {
        _ = read(line + "\r\n", { $0.read(reply: $1, hiding: { $0 }) })
        expectEqual(reader.namesNoSize, isNone)
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

@Suite(.timeLimit(.minutes(5))) struct `An FTP server` {
    @Test(arguments: [
        ["421 Too many users, sorry."], ["421-Hello\r\n421 There are too many connected users, please try later."],
        ["220 hi", "421 Service not available."], ["120 Service ready in 5 minutes."],
        ["220 hi", "530 Sorry, the maximum number of clients (5) from your host are already connected."],
        ["220 hi", "331 go on", "530 Too many users of that class."],
    ])
    func `that accepts no more clients is busy, with its own message, and is retried`(replies: [String]) async throws {
        let server = try ScriptedFTPServer(replies)
        let failure = try await require(Rig().fetch(server.origin + "f").failure)
        let last = try require(replies.last?.split(separator: "\r\n").last)
        expectEqual(failure, .serverBusy(reply: String(last)))
        expectEqual(failure.exitCode, 29)
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(failure), retryWait: .seconds(1)), .again)
    }

    @Test func `that repeats the password is shown without it`() async throws {
        let server = try ScriptedFTPServer(["220 hi", "331 go on", "530 Too many users like s3cret."])
        let events = try await Rig().fetch(server.origin + "f") { ($0.user, $0.password) = ("alice", "s3cret") }
        expectEqual(events.failure, .serverBusy(reply: "530 Too many users like ***."))
    }

    /// The host lets the client in, and is not asked for fewer connections because of one file.
    @Test(arguments: ["421", "450"])
    func `that cannot give a file now is asked again, and is not full`(code: String) async throws {
        let server = try FileFTPServer([1, 2, 3], [.refused("\(code) Not now.")])
        let failure = try await require(Rig().fetch(server.url).failure)
        expect(!TooManyConnections.isSign(failure))
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(failure), retryWait: .seconds(1)), .again)
        expect(failure == (code == "421" ? .connectionLost("421 Not now.") : .remoteFile(.busy, path: "/f")))
    }

    @Test(arguments: ["530 Login incorrect.", "530 Too many failed login attempts."])
    func `that refuses a login is not busy`(reply: String) async throws {
        let server = try ScriptedFTPServer(["220 hi", "331 go on", reply])
        let origin = try TransferURL(server.origin).origin
        try await expectEqual(Rig().fetch(server.origin + "f").failure, .loginNeeded(origin: origin))
    }

    /// Its connection was idle for too long; a new one will work.
    @Test func `that ends an idle session is not busy`() async throws {
        let server = try ScriptedFTPServer(["220 hi", "421 Timeout (300 seconds): closing control connection."])
        let failure = try await require(Rig().fetch(server.origin + "f").failure)
        expectEqual(failure, .connectionLost("421 Timeout (300 seconds): closing control connection."))
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(failure), retryWait: .seconds(1)), .again)
    }
}
