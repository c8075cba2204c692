import TestSupport
import Testing

@testable import FaultServer

@Suite struct `Basic credentials` {
    @Test(
        arguments: [
            ("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", true), ("basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", true),
            ("Basic QWxhZGRpbjpvcGVu", false), ("Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==", false), ("", false),
            (nil, false),
        ] as [(String?, Bool)])
    func `match their own header only`(header: String?, expected: Bool) {
        let request = ReceivedRequest(
            method: "GET", target: "/",
            headers: header.map { [ReceivedRequest.Header(name: "Authorization", value: $0)] } ?? [],
            isKeepAlive: true)
        let credentials = BasicCredentials(user: "Aladdin", password: "open sesame")
        expectEqual(credentials.match(request, isDigest: false), expected)
    }
}

@Suite struct `A fault in place of the file` {
    @Test(arguments: zip(1...5, [503, 0, 404, 200, 200]))
    func `follows the status sequence and repeats its last entry`(number: Int, status: Int) throws {
        try expectEqual(ResponsePlan.planned("status=503,close,404,200", number: number).status, status)
    }

    @Test(arguments: [
        ("redirect=2", "/f/a?redirect=1"), ("redirect=1&size=5&etag=%41", "/f/a?size=5&etag=%41"),
        ("redirect=1", "/f/a"), ("redirectto=http://b/%2520", "http://b/%20"),
        ("redirect=2&redirectto=b", "/f/a?redirect=1&redirectto=b"), ("redirect=1&redirectto=b", "b"),
    ])
    func `redirects one hop at a time`(query: String, location: String) throws {
        let plan = try ResponsePlan.planned(query)
        expectEqual(plan.status, 302)
        guard case .raw(let head) = plan.steps.first else {
            Issue.record("no head")
            return
        }
        expectEqual(Response(head)?["Location"], location)
    }

    @Test func `refuses requests above the connection limit`() throws {
        try expectEqual(ResponsePlan.planned("limit=2", busy: 1).status, 200)
        try expectEqual(ResponsePlan.planned("limit=2", busy: 2).status, 503)
        try expectEqual(ResponsePlan.planned("limit=2&limitcode=429", busy: 2).status, 429)
    }

    @Test func `serves files to GET and HEAD only`() throws {
        try expectEqual(ResponsePlan.planned("size=5", method: "DELETE").status, 405)
        try expectEqual(ResponsePlan.planned("head=405", method: "HEAD").status, 405)
        try expectEqual(ResponsePlan.planned("head=405").status, 200)
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
