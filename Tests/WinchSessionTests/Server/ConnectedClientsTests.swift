import Glibc
import Testing
import WinchModel

@testable import WinchSession

@Suite struct `The clients of a session` {
    private let record = SessionRecord()

    private func clients() -> ConnectedClients {
        ConnectedClients(
            greeting: .sample, feed: UpdateFeed(), ports: record.actions, notices: SessionNotices {}
        ) {}
    }

    /// - Returns: the client's end of a connection.
    private func connect(to clients: inout ConnectedClients) throws -> OpenFile {
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let (server, client) = (OpenFile(pair[0]), OpenFile(pair[1]))
        server.setNonBlocking()
        client.setNonBlocking()
        clients.admit(server)
        return client
    }

    private func read(_ file: OpenFile) -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, recv(file.number, &bytes, bytes.count, 0))
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func write(_ text: String, to file: OpenFile) {
        _ = text.withCString { Glibc.write(file.number, $0, strlen($0)) }
    }

    private func serve(_ clients: inout ConnectedClients) {
        clients.serve(clients.interests.map { pollfd(fd: $0.fd, events: $0.events, revents: $0.events) })
    }

    @Test func `are greeted, and polled for what they send`() throws {
        var clients = clients()
        let client = try connect(to: &clients)
        #expect(read(client).hasPrefix(#"{""#))
        #expect(clients.interests.count == 1)
        #expect(clients.interests[0].events == Int16(POLLIN))
    }

    @Test func `are at most 64; a further one is told why and closed`() throws {
        var clients = clients()
        let all = try (0..<64).map { _ in try connect(to: &clients) }
        #expect(clients.peers.count == 64)
        let further = try connect(to: &clients)
        #expect(read(further).contains("the session has 64 clients already"))
        #expect(clients.peers.count == 64)
        #expect(!clients.isFull)
        withExtendedLifetime(all) {}
    }

    @Test func `are closed when no introduction comes`() throws {
        var clients = clients()
        let client = try connect(to: &clients)
        #expect(clients.nextTime == Moment(seconds: 5))
        record.wait(.seconds(5))
        clients.serve([])
        #expect(clients.peers.isEmpty)
        #expect(read(client).contains("no introduction came within 5 seconds"))
    }

    @Test func `are forgotten when they have hung up`() throws {
        var clients = clients()
        var client: OpenFile? = try connect(to: &clients)
        #expect(client != nil)
        client = nil
        clients.serve(clients.interests.map { pollfd(fd: $0.fd, events: $0.events, revents: Int16(POLLIN | POLLHUP)) })
        #expect(clients.peers.isEmpty)
    }

    @Test func `are told why when the session ends`() throws {
        var clients = clients()
        let client = try connect(to: &clients)
        write(#"{"hello":1,"client":"test"}"# + "\n", to: client)
        serve(&clients)
        #expect(clients.nextTime == nil)
        clients.close("the session ends")
        #expect(read(client).contains(#"{"closing":"the session ends"}"#))
    }
}
