import FaultServer
import Hashing
import Synchronization
import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel
@testable import WinchTransport

@Suite(.timeLimit(.minutes(5))) struct `A Metalink that a server names for a file` {
    private static let type = "application/metalink4+xml"
    private static let hash = HashFunction.sha256.hash(Array("abc".utf8)).hex

    private static func metalink(size: Int = 3, hash: String = hash, name: String = "f", more: String = "") -> String {
        "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"\(name)\"><size>\(size)</size>"
            + "<hash type=\"sha-256\">\(hash)</hash><url>http://mirror/f</url></file>\(more)</metalink>"
    }

    private static func answer(_ metalink: String, status: String = "200 OK", _ field: String = "X: y") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(field)\r\nContent-Length: \(metalink.utf8.count)\r\n\r\n\(metalink)"
    }

    /// The URL of a file `abc` whose response names a Metalink.
    private static func file(_ server: FaultServer, describedBy metalink: String, isChunked: Bool = false) -> String {
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 3"
        let body = isChunked ? "3\r\nabc\r\n0\r\n\r\n" : "abc"
        return server.rawURL(
            "HTTP/1.1 200 OK\r\n\(framing)\r\nLink: <\(metalink)>; rel=describedby; type=\"\(type)\"\r\n\r\n\(body)")
    }

    private static func demands(in events: [TransportEvent]) -> [String] {
        events.flatMap { event in
            if case .demanded(let demands, _) = event { demands.map(\.checksum.hex) } else { [String]() }
        }
    }

    private static func mirrors(in events: [TransportEvent]) -> [String] {
        events.flatMap { event in
            if case .mirrors(let urls, _) = event { urls.map(\.text) } else { [String]() }
        }
    }

    @Test func `gives it a checksum and mirrors`() async throws {
        try await Rig.serving { server, rig in
            let url = Self.file(server, describedBy: server.rawURL(Self.answer(Self.metalink())))
            let events = try await rig.fetch(url) { $0.metalink = .follow }
            expect(events.saved != nil, "\(String(describing: events.last))")
            expectEqual(Self.demands(in: events), [Self.hash])
            expectEqual(Self.mirrors(in: events), ["http://mirror/f"])
        }
    }

    /// The file is whole in memory when the Metalink comes.
    @Test(arguments: [true, false], [true, false])
    func `gives it the hashes of its pieces`(isRight: Bool, isChunked: Bool) async throws {
        try await Rig.serving { server, rig in
            let hashes = [Array("ab".utf8), Array((isRight ? "c" : "d").utf8)].map { HashFunction.md5.hash($0).hex }
            let metalink =
                "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"f\"><size>3</size>"
                + "<pieces length=\"2\" type=\"md5\"><hash>\(hashes[0])</hash><hash>\(hashes[1])</hash></pieces>"
                + "<url>http://mirror/f</url></file></metalink>"
            let url = Self.file(server, describedBy: server.rawURL(Self.answer(metalink)), isChunked: isChunked)
            let events = try await rig.fetch(url) { $0.metalink = .follow }
            expectEqual(events.failure?.exitCode, isRight ? nil : 32)
            expectEqual(events.saved != nil, isRight, "\(String(describing: events.last))")
        }
    }

    /// Of a Metalink that the user has given. The server tells the size only by the end of the body.
    @Test(
        arguments: [
            (3, "abc", nil), (3, "abd", 32), (5, "abc", TransferFailure.badResponse("").exitCode),
        ] as [(Int, String, Int32?)])
    func `of pieces whose file has no size is checked at its end`(size: Int, content: String, code: Int32?) async throws
    {
        try await Rig.serving { server, rig in
            let bytes = Array((content + "defgh").utf8.prefix(size))
            let digests = stride(from: 0, to: size, by: 2)
                .flatMap { HashFunction.md5.hash(Array(bytes[$0..<min(size, $0 + 2)])) }
            let pieces = PieceHashes(length: ByteCount(2), algorithm: .md5, digests: digests)
            let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            try rig.start(server.rawURL(answer), pieces: pieces)
            let events = await rig.settled()
            expectEqual(events.failure?.exitCode, code)
            expectEqual(events.saved != nil, code == nil, "\(String(describing: events.last))")
        }
    }

    @Test(arguments: [
        answer(metalink(size: 4, hash: String(repeating: "0", count: 64))),
        answer(metalink(name: "a", more: "<file name=\"b\"><url>http://m/b</url></file>")),
        answer("<metalink"), answer("no XML"), answer("", status: "404 Not Found"),
        answer("", status: "302 Found", "Location: /f/x?size=7"),
        "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 99999999\r\n\r\n<metalink", "",
    ])
    func `is without effect when it is not usable`(answer: String) async throws {
        try await Rig.serving { server, rig in
            let url = Self.file(server, describedBy: server.rawURL(answer))
            let events = try await rig.fetch(url) { $0.metalink = .follow }
            expect(events.saved != nil, "\(String(describing: events.last))")
            expect(Self.demands(in: events).isEmpty && Self.mirrors(in: events).isEmpty)
        }
    }

    @Test func `counts less than what the user demands`() async throws {
        try await Rig.serving { server, rig in
            let wrong = Self.metalink(hash: String(repeating: "0", count: 64))
            let url = Self.file(server, describedBy: server.rawURL(Self.answer(wrong)))
            let events = try await rig.fetch(url) {
                $0.metalink = .follow
                $0.checksum = Checksum("sha-256=\(Self.hash)")
            }
            expect(events.saved != nil, "\(String(describing: events.last))")
        }
    }

    @Test(arguments: [(MetalinkUse.follow, 2), (.save, 1), (.refuse, 1)])
    func `is asked for once, unless the user wants none`(use: MetalinkUse, requests: Int) async throws {
        try await Rig.serving { server, rig async throws in
            // It names another one itself.
            let link = "Link: </f/other.meta4>; rel=describedby; type=\"\(Self.type)\""
            let url = Self.file(server, describedBy: server.rawURL(Self.answer(Self.metalink(), link)))
            try await expect(rig.fetch(url) { $0.metalink = use }.saved != nil)
            expectEqual(server.requests.count, requests)
        }
    }

    @Test func `is waited for at the end of the file, but not for long`() async throws {
        try await FaultServer.serving { server in
            let later = Mutex(Duration.zero)
            let rig = try Rig(clock: { SystemClock.moment() + later.withLock { $0 } })
            try rig.start(Self.file(server, describedBy: server.rawURL("", "hold"))) {
                $0.metalink = .follow
                $0.stallTimeout = .seconds(60)
            }
            while server.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
            later.withLock { $0 = .seconds(6) }
            await expect(rig.settled().saved != nil)
        }
    }
}
