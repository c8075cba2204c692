import Testing

@testable import FaultServer

@Suite struct `A response written out in the URL` {
    @Test func `can be given byte for byte`() async throws {
        try await FaultServer.serving { server in
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"
            let client = try RawClient(server)
            client.request(server.rawURL(answer))
            let (bytes, ending) = client.readAll()
            #expect(String(decoding: bytes, as: UTF8.self) == answer)
            #expect(ending == .closed)
        }
    }
}
