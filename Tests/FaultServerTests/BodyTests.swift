import TestSupport
import Testing

@testable import FaultServer

@Suite struct `A fault of time` {
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
        let plan = try ResponsePlan.planned(query)
        let bodies = plan.steps.filter { if case .body = $0 { true } else { false } }
        expectEqual(bodies, pieces.map(ResponsePlan.Step.seeded))
        expectEqual(plan.ending, ending)
    }

    @Test func `waits before the head`() throws {
        try expectEqual(ResponsePlan.planned("latency=0.5").steps.first, .wait(.seconds(0.5)))
        try expectEqual(ResponsePlan.planned("headdelay=0.5", method: "HEAD").steps.first, .wait(.seconds(0.5)))
        try expectEqual(ResponsePlan.planned("status=503&latency=0.5").steps.first, .wait(.seconds(0.5)))
    }

    @Test func `is slow, stalls or is cut off on the first request only`() throws {
        try expectEqual(ResponsePlan.planned("ratefirst=5", number: 1).rate, 5)
        try expectNil(ResponsePlan.planned("ratefirst=5", number: 2).rate)
        try expectEqual(ResponsePlan.planned("stallfirst=5", number: 1).ending, .hold)
        try expectEqual(ResponsePlan.planned("stallfirst=5", number: 2).ending, .keepAlive)
        try expectEqual(ResponsePlan.planned("size=9&dropfirst=4", number: 1).ending, .close)
        try expectEqual(ResponsePlan.planned("size=9&dropfirst=4", number: 2).ending, .keepAlive)
    }

    @Test(arguments: [("drop=1234567", RawClient.Ending.closed), ("drop=1234567&reset", .reset)])
    func `is cut off after exactly the requested bytes`(options: String, ending: RawClient.Ending) async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("d", "size=3M") + "&" + options)
            let (bytes, seen) = client.readAll()
            expectEqual(seen, ending)
            let response = try require(Response(bytes))
            expectEqual(response["Content-Length"], "3145728")
            expectEqual(response.body, SeededContent(name: "d").bytes(in: 0..<1_234_567))
        }
    }

    @Test func `waits for a client that is not reading`() async throws {
        try await FaultServer.serving { server in
            let lazy = try RawClient(server, receiveBuffer: 64 << 10)
            lazy.request(server.url("b", "size=64M"))
            while server.requests.isEmpty { await Task.yield() }
            try await Task.sleep(for: .milliseconds(50))
            let other = try RawClient(server)
            other.request(server.url("d", "size=10"))
            expectEqual(other.readResponse()?.body.count, 10)
            expectEqual(server.requests(for: "b").first?.isFinished, false)
            withExtendedLifetime(lazy) {}
        }
    }
}
