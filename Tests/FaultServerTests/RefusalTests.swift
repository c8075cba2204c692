import TestSupport
import Testing

@testable import FaultServer

@Suite struct `A fault in place of the file` {
    @Test func `refuses requests above the connection limit`() throws {
        try expectEqual(ResponsePlan.planned("limit=2", busy: 1).status, 200)
        try expectEqual(ResponsePlan.planned("limit=2", busy: 2).status, 503)
        try expectEqual(ResponsePlan.planned("limit=2&limitcode=429", busy: 2).status, 429)
    }

    @Test func `can end before its first byte`() async throws {
        try await FaultServer.serving { server in
            let url = server.url("s", "status=close,reset,200", "size=3")
            for ending in [RawClient.Ending.closed, .reset] {
                let client = try RawClient(server)
                client.request(url)
                let (bytes, seen) = client.readAll()
                expectEqual(bytes, [])
                expectEqual(seen, ending)
            }
            let client = try RawClient(server)
            client.request(url)
            expectEqual(client.readResponse()?.status, 200)
            expectEqual(server.requests.map(\.status), [0, 0, 200])
        }
    }
}

@Suite struct `On a limited host` {
    private let reception = ServerRecords()

    private func admit(_ name: String) -> ServerRecords.Admission {
        reception.admit(
            ReceivedRequest(
                method: "GET", target: "/f/\(name)?size=9&limit=1&limitkey=k", headers: [], isKeepAlive: true))
    }

    /// Otherwise a client would be refused because of its own refused request, whose answer is still being sent.
    @Test func `a refused request does not occupy a connection slot`() {
        var first = admit("a")
        let second = admit("b")
        expectEqual(first.plan.status, 200)
        expectEqual(second.plan.status, 503)
        first.makeRoom(in: reception)
        expectEqual(admit("c").plan.status, 200)
    }
}
