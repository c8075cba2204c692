import FaultServer
import TestSupport
import Testing

/// Responses without faults, over real sockets.
@Suite struct `The fault server` {
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
