import FaultServer
import TestSupport
import Testing

/// Responses without faults, over real sockets.
@Suite struct `The fault server` {
    @Test func `answers pipelined requests in order`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("a", "size=10", "latency=0.02"))
            client.request(server.url("b", "size=20"), "Connection: close")
            let (bytes, ending) = client.readAll()
            expectEqual(ending, .closed)
            expectEqual(bytes.suffix(20), SeededContent(name: "b").bytes(in: 0..<20)[...])
            expectEqual(Response(bytes)?.body.prefix(10), SeededContent(name: "a").bytes(in: 0..<10)[...])
        }
    }

    @Test func `answers HEAD with the headers of GET and no body`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("h", "size=100", "etag=x"), method: "HEAD")
            let head = try require(client.readResponse(toHead: true))
            expectEqual(head["Content-Length"], "100")
            expectEqual(head["ETag"], "\"x\"")
            expectEqual(head.body, [])
            client.request(server.url("h", "size=100", "headlength=7"), method: "HEAD")
            expectEqual(client.readResponse(toHead: true)?["Content-Length"], "7")
        }
    }

    @Test func `counts the requests it received and clears them on demand`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("é", "size=3"))
            _ = client.readResponse()
            expectEqual(server.requestCount, 1)
            server.forget()
            expectEqual(server.requests, [])
        }
    }

    @Test func `reports what is wrong with a URL`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("x", "sise=3"))
            let response = try require(client.readResponse())
            expectEqual(response.status, 400)
            expectEqual(response.body, Array("no option is called 'sise'\n".utf8))
            client.request(server.origin + "/elsewhere")
            expectEqual(client.readResponse()?.status, 404)
        }
    }
}
