import Testing

@testable import FaultServer

@Suite struct `A response plan` {
    private func plan(
        _ query: String, method: String = "GET", number: Int = 1, isKeepAlive: Bool = true, busy: Int = 0,
        _ headers: (String, String)...
    ) throws -> ResponsePlan {
        let target = "/f/a?" + query
        let request = ReceivedRequest(
            method: method, target: target, headers: headers.map { .init(name: $0.0, value: $0.1) },
            isKeepAlive: isKeepAlive)
        let behaviour = try #require(try FaultOptions(RequestTarget(target)))
        let visit = Visit(number: number, earlierGets: number - 1)
        return ResponsePlan.gate(request, behaviour, busy: busy, now: 0)
            ?? ResponsePlan.file(request, behaviour, visit: visit, now: 0)
    }

    private func body(_ range: Range<Int64>) -> ResponsePlan.Step {
        .body(.seeded(SeededContent(name: "a"), range))
    }

    @Test(
        arguments: [
            ("size=100", [0..<100], .keepAlive), ("size=100&drop=40", [0..<40], .close),
            ("size=100&drop=40&reset", [0..<40], .reset), ("size=100&drop=100", [0..<100], .keepAlive),
            ("size=100&drop=0", [], .close), ("size=100&stall=30", [0..<30], .hold),
            ("size=100&stall=30&drop=60", [0..<30], .hold),
            ("size=100&stall=30&stallfor=1", [0..<30, 30..<100], .keepAlive),
            ("size=100&stall=30&stallfor=1&drop=60", [0..<30, 30..<60], .close),
            ("size=100&stall=80&drop=60", [0..<60], .close), ("size=100&nolength", [0..<100], .close),
            ("size=100&nolength&reset", [0..<100], .reset), ("size=100&length=90", [0..<100], .close),
            ("size=100&length=100", [0..<100], .keepAlive), ("size=0", [], .keepAlive),
        ] as [(String, [Range<Int64>], ResponsePlan.Ending)])
    func `places faults where the URL specifies them`(
        query: String, pieces: [Range<Int64>], ending: ResponsePlan.Ending
    ) throws {
        let plan = try plan(query)
        let bodies = plan.steps.filter { if case .body = $0 { true } else { false } }
        #expect(bodies == pieces.map(body))
        #expect(plan.ending == ending)
    }

    @Test func `pauses between the two halves of a temporary stall`() throws {
        let steps = try plan("size=100&stall=30&stallfor=1").steps
        #expect(Array(steps.dropFirst()) == [body(0..<30), .wait(.seconds(1)), body(30..<100)])
    }

    @Test func `waits before the head`() throws {
        #expect(try plan("latency=0.5").steps.first == .wait(.seconds(0.5)))
        #expect(try plan("headdelay=0.5", method: "HEAD").steps.first == .wait(.seconds(0.5)))
        #expect(try plan("status=503&latency=0.5").steps.first == .wait(.seconds(0.5)))
    }

    @Test(
        arguments: [
            ("etag=x", "\"x\"", 206), ("etag=x", "\"y\"", 200), ("weaketag=x", "W/\"x\"", 200),
            ("noetag", "\"x\"", 200), ("lastmodified=0", "Thu, 01 Jan 1970 00:00:00 GMT", 206),
            ("lastmodified=9", "Thu, 01 Jan 1970 00:00:00 GMT", 200),
        ] as [(String, String, Int)])
    func `honours If-Range`(query: String, condition: String, status: Int) throws {
        #expect(try plan(query, ("Range", "bytes=5-"), ("If-Range", condition)).status == status)
    }

    @Test(
        arguments: [
            ("etag=x", "\"x\"", 304), ("etag=x", "\"y\", W/\"x\"", 304), ("weaketag=x", "W/\"x\"", 304),
            ("etag=x", "*", 304),
            ("etag=x", "\"y\"", 200), ("noetag", "\"x\"", 200),
        ] as [(String, String, Int)])
    func `honours If-None-Match`(query: String, condition: String, status: Int) throws {
        #expect(try plan(query, ("If-None-Match", condition)).status == status)
    }

    @Test(arguments: zip(1...5, [503, 0, 404, 200, 200]))
    func `follows the status sequence and repeats its last entry`(number: Int, status: Int) throws {
        #expect(try plan("status=503,close,404,200", number: number).status == status)
    }

    @Test func `cuts off only the first request with dropfirst`() throws {
        #expect(try plan("size=9&dropfirst=4", number: 1).ending == .close)
        #expect(try plan("size=9&dropfirst=4", number: 2).ending == .keepAlive)
    }

    @Test(arguments: [
        ("redirect=2", "/f/a?redirect=1"), ("redirect=1&size=5&etag=%41", "/f/a?size=5&etag=%41"),
        ("redirect=1", "/f/a"), ("redirectto=http://b/%2520", "http://b/%20"),
        ("redirect=2&redirectto=b", "/f/a?redirect=1&redirectto=b"), ("redirect=1&redirectto=b", "b"),
    ])
    func `redirects one hop at a time`(query: String, location: String) throws {
        let plan = try plan(query)
        #expect(plan.status == 302)
        guard case .raw(let head) = plan.steps.first else {
            Issue.record("no head")
            return
        }
        #expect(Response(head)?["Location"] == location)
    }

    @Test func `refuses requests above the connection limit`() throws {
        #expect(try plan("limit=2", busy: 1).status == 200)
        #expect(try plan("limit=2", busy: 2).status == 503)
    }

    @Test func `closes the connection when the client asks for it`() throws {
        #expect(try plan("size=5", isKeepAlive: false).ending == .close)
    }

    @Test func `serves files to GET and HEAD only`() throws {
        #expect(try plan("size=5", method: "DELETE").status == 405)
        #expect(try plan("head=405", method: "HEAD").status == 405)
        #expect(try plan("head=405").status == 200)
    }
}
