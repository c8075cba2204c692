import FaultServer
import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

/// A server, or one file on it, that sends more than was requested: a complete forged response for the next request.
@Suite(.timeLimit(.minutes(5))) struct `A connection with unrequested bytes` {
    private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nFORGED"
    private static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\noops",
        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n4\r\noops\r\n0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
    ]

    /// Downloads a file over a kept connection, if there is one, and compares it with the server's.
    private func expectOwnBytes(_ rig: Rig, _ server: FaultServer, connections: Int) async throws {
        let events = try await rig.fetch(server.url("two", "size=600"), id: 2)
        expectEqual(events.saved, "two", "\(String(describing: events.last))")
        try expectEqual(rig.folder.bytes("two"), FaultServer.content("two", 600))
        expectEqual(server.requests(for: "two").count, 1)
        expectEqual(server.totalConnections, connections)
    }

    /// When the bytes come. Partly later: the start of the forged response is read and dropped with the true one; the rest would be
    /// taken for another.
    enum Arrival: CaseIterable { case withTheResponse, partlyLater, whileIdle }

    @Test(arguments: answers, Arrival.allCases)
    func `is not reused`(answer: String, arrival: Arrival) async throws {
        try await Rig.serving { server, rig in
            let start = arrival == .partlyLater ? answer + "HTTP/1.1 200 OK\r\n" : answer
            let url =
                arrival == .withTheResponse
                ? server.rawURL(answer + Self.forged, "keep")
                : server.rawURL(start, "wait=0.05", "bytes=" + Self.forged, "keep")
            _ = try await rig.fetch(url, name: "one")
            if arrival != .withTheResponse { try await Self.waitUntilSent(server) }
            try await expectOwnBytes(rig, server, connections: 2)
        }
    }

    /// The request after a redirect is sent at once, on the same connection.
    @Test(arguments: [
        "Content-Length: 0\r\n\r\n", "Content-Length: 3\r\n\r\nsee",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nsee\r\n0\r\n\r\n",
    ])
    func `after a redirect is not reused for the next request`(framing: String) async throws {
        try await Rig.serving { server, rig in
            let answer = "HTTP/1.1 302 Found\r\nLocation: /f/two?size=600\r\n" + framing
            let events = try await rig.fetch(server.rawURL(answer + Self.forged, "keep"), name: "two")
            expectEqual(events.saved, "two", "\(String(describing: events.last))")
            try expectEqual(rig.folder.bytes("two"), FaultServer.content("two", 600))
            expectEqual(server.totalConnections, 2)
        }
    }

    @Test func `after the response to a size probe is not reused`() async throws {
        try await Rig.serving { server, rig in
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + Self.forged
            _ = try await rig.probe(server.rawURL(answer, "keep"))
            try await expectOwnBytes(rig, server, connections: 2)
        }
    }

    /// Otherwise every file would need a connection.
    @Test(arguments: ["", "&chunked", "&redirect=1", "&status=404", "&status=404&errbody=0", "&status=304", "&size=0"])
    func `is distinguished from a correct one, which is reused`(options: String) async throws {
        try await Rig.serving { server, rig in
            for id in 1...8 {
                _ = try await rig.fetch(server.url("f\(id)") + "?size=5000" + options, id: id)
            }
            expectEqual(server.totalConnections, 1)
            expectAtLeast(server.requests.count, 8)
        }
    }

    /// Everything has been sent, or the client has closed the connection.
    private static func waitUntilSent(_ server: FaultServer) async throws {
        while server.requests.last?.isFinished != true, server.openConnections > 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// The same over TLS, where bytes may be in the socket or already decrypted in the library.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A TLS connection with unrequested bytes` {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
    private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nFORGED"

    /// Later bytes are in the socket as without TLS. `openssl s_server` may send them only once it has read the next
    /// request, so they are not tested here.
    enum Timing: CaseIterable { case oneRecord, bodysRecord, never }

    @Test(arguments: Timing.allCases)
    func `is not reused`(timing: Timing) async throws {
        let server = try await ScriptedTLSServer()
        let rig = try Rig()
        try rig.start(server.origin + "one") { $0.isInsecure = true }
        try await server.wait(for: "GET /one")
        switch timing {
        case .oneRecord: try server.send(Self.head + "one" + Self.forged)
        case .bodysRecord:
            try server.send(Self.head)
            _ = await rig.events { if case .opened = $0 { true } else { false } }
            try server.send("one" + Self.forged)
        case .never: try server.send(Self.head + "one")
        }
        await expectEqual(rig.settled().saved, "one")
        try rig.start(server.origin + "two", id: 2) { $0.isInsecure = true }
        try await server.wait(for: "GET /two")
        try server.send(Self.head + "two")
        await expectEqual(rig.settled(2).saved, "two")
        try expectEqual(rig.folder.bytes("one"), Array("one".utf8))
        try expectEqual(rig.folder.bytes("two"), Array("two".utf8))
        try expect(server.connections == (timing == .never ? 1 : 2))
    }
}
