import CTransport
import FaultServer
import Glibc
import TestSupport
import Testing
import WinchCore

@testable import WinchTransport

/// A server, or one file on it, that sends more than it was asked for: a whole answer, forged, for the next request.
@Suite(.timeLimit(.minutes(2))) struct `A connection on which bytes came that were not asked for` {
    private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nFORGED"
    private static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\noops",
        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n4\r\noops\r\n0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
    ]

    /// Fetches a file over whatever connection there is, and looks whether it is the server's.
    private func expectOwnBytes(_ rig: Rig, _ server: FaultServer, connections: Int) async throws {
        let events = try await rig.haul(server.url("two", "size=600"), id: 2)
        #expect(events.saved == "two", "\(String(describing: events.last))")
        #expect(try rig.folder.bytes("two") == FaultServer.content("two", 600))
        #expect(server.requests(for: "two").count == 1)
        #expect(server.totalConnections == connections)
    }

    @Test(arguments: answers)
    func `in one piece with the answer is not used again`(answer: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            _ = try await rig.haul(server.rawURL(answer + Self.forged, "keep"), name: "one")
            try await expectOwnBytes(rig, server, connections: 2)
        }
    }

    /// Part of the forged answer is read, and dropped, with the true one; the rest would be garbage, or another.
    @Test(arguments: answers)
    func `partly with the answer, partly later, is not used again`(answer: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let first = answer + "HTTP/1.1 200 OK\r\n"
            _ = try await rig.haul(
                server.rawURL(first, "wait=0.05", "bytes=" + Self.forged, "keep"), name: "one")
            try await Self.waitUntilSent(server)
            try await expectOwnBytes(rig, server, connections: 2)
        }
    }

    @Test(arguments: answers)
    func `while it rested is not used again`(answer: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            _ = try await rig.haul(
                server.rawURL(answer, "wait=0.05", "bytes=" + Self.forged, "keep"), name: "one")
            try await Self.waitUntilSent(server)
            try await expectOwnBytes(rig, server, connections: 2)
        }
    }

    /// The hop after a redirect goes out at once, on the same connection.
    @Test(arguments: [
        "Content-Length: 0\r\n\r\n", "Content-Length: 3\r\n\r\nsee",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nsee\r\n0\r\n\r\n",
    ])
    func `behind a redirect is not used for the next hop`(framing: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let answer = "HTTP/1.1 302 Found\r\nLocation: /f/two?size=600\r\n" + framing
            let events = try await rig.haul(server.rawURL(answer + Self.forged, "keep"), name: "two")
            #expect(events.saved == "two", "\(String(describing: events.last))")
            #expect(try rig.folder.bytes("two") == FaultServer.content("two", 600))
            #expect(server.totalConnections == 2)
        }
    }

    @Test func `behind the answer to a question for a size is not used again`() async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + Self.forged
            rig.transport.probe(
                ProbeRequest(
                    id: TransferID(1), url: try TransferURL(server.rawURL(answer, "keep")),
                    settings: Shared(TransferSettings())))
            _ = await rig.events { if case .probed = $0 { true } else { false } }
            try await expectOwnBytes(rig, server, connections: 2)
        }
    }

    /// Else a connection for each file would do.
    @Test(arguments: ["", "&chunked", "&redirect=1", "&status=404", "&status=404&errbody=0", "&status=304", "&size=0"])
    func `is another one than an honest server's, which is kept`(options: String) async throws {
        try await FaultServer.serving { server in
            let rig = try Rig()
            for id in 1...8 {
                _ = try await rig.haul(server.url("f\(id)") + "?size=5000" + options, id: id)
            }
            #expect(server.totalConnections == 1)
            #expect(server.requests.count >= 8)
        }
    }

    /// All is sent, or the client has closed the connection meanwhile.
    private static func waitUntilSent(_ server: FaultServer) async throws {
        while server.requests.last?.isFinished != true, server.openConnections > 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// The same over TLS, where bytes may lie in the socket as well as decrypted in the library.
@Suite(.serialized, .timeLimit(.minutes(2))) struct `A secured connection on which bytes came that were not asked for` {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
    private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nFORGED"

    /// Bytes that come later lie in the socket as they do without TLS. `openssl s_server` may send them only once it has
    /// read the next request, so they are not tried here.
    enum Timing: CaseIterable { case oneRecord, bodysRecord, never }

    @Test(arguments: Timing.allCases)
    func `is not used again`(timing: Timing) async throws {
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
        #expect(await rig.settled().saved == "one")
        try rig.start(server.origin + "two", id: 2) { $0.isInsecure = true }
        try await server.wait(for: "GET /two")
        try server.send(Self.head + "two")
        #expect(await rig.settled(2).saved == "two")
        #expect(try rig.folder.bytes("one") == Array("one".utf8))
        #expect(try rig.folder.bytes("two") == Array("two".utf8))
        #expect(try server.connections == (timing == .never ? 1 : 2))
    }
}

@Suite struct `The list of open sockets` {
    /// Two ends of one connection.
    private func pair() throws -> (near: Int32, far: Int32, ports: (local: Int32, remote: Int32)) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let near = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port = try #require(Self.name(&address, listener, connecting: near))
        let far = accept(listener, nil, nil)
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(near, $0, &length) }
        }
        return (near, far, (Int32(UInt16(bigEndian: own.sin_port)), Int32(port)))
    }

    private static func name(_ address: inout sockaddr_in, _ listener: Int32, connecting near: Int32) -> UInt16? {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0 && connect(near, address, length) == 0
            }
        }
        return isConnected ? UInt16(bigEndian: address.sin_port) : nil
    }

    @Test func `tells new connections from used ones, and clean ones from others`() throws {
        let sockets = OpenSockets()
        let (near, far, ports) = try pair()
        defer { close(far) }
        let listener = sockets.listener.pointee
        listener.opened(listener.context, near)
        func standing() -> OpenSockets.Standing? { sockets.beginRequest(local: ports.local, remote: ports.remote) }
        #expect(standing() == OpenSockets.Standing(isFresh: true, isReadable: false))
        #expect(standing() == OpenSockets.Standing(isFresh: false, isReadable: false))
        #expect(sockets.beginRequest(local: ports.local, remote: 1) == nil)
        send(far, "x", 1, 0)
        var waiter = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiter, 1, 10_000) == 1)
        #expect(standing() == OpenSockets.Standing(isFresh: false, isReadable: true))
        // The byte is still there for who reads it.
        var byte: UInt8 = 0
        #expect(recv(near, &byte, 1, 0) == 1)
        #expect(standing()?.isReadable == false)
        shutdown(far, Int32(SHUT_WR))
        #expect(poll(&waiter, 1, 10_000) == 1)
        #expect(standing()?.isReadable == true)
        listener.closed(listener.context, near)
        close(near)
        #expect(standing() == nil)
    }
}
