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
        #expect(bodies == pieces.map(ResponsePlan.Step.seeded))
        #expect(plan.ending == ending)
    }

    @Test func `pauses between the two halves of a temporary stall`() throws {
        let steps = try ResponsePlan.planned("size=100&stall=30&stallfor=1").steps
        #expect(
            Array(steps.dropFirst()) == [
                ResponsePlan.Step.seeded(0..<30), .wait(.seconds(1)), ResponsePlan.Step.seeded(30..<100),
            ])
    }

    @Test func `waits before the head`() throws {
        #expect(try ResponsePlan.planned("latency=0.5").steps.first == .wait(.seconds(0.5)))
        #expect(try ResponsePlan.planned("headdelay=0.5", method: "HEAD").steps.first == .wait(.seconds(0.5)))
        #expect(try ResponsePlan.planned("status=503&latency=0.5").steps.first == .wait(.seconds(0.5)))
    }

    @Test func `cuts off only the first request with dropfirst`() throws {
        #expect(try ResponsePlan.planned("size=9&dropfirst=4", number: 1).ending == .close)
        #expect(try ResponsePlan.planned("size=9&dropfirst=4", number: 2).ending == .keepAlive)
    }

    @Test func `is slow or stalls on the first request only`() throws {
        #expect(try ResponsePlan.planned("ratefirst=5", number: 1).rate == 5)
        #expect(try ResponsePlan.planned("ratefirst=5", number: 2).rate == nil)
        #expect(try ResponsePlan.planned("stallfirst=5", number: 1).ending == .hold)
        #expect(try ResponsePlan.planned("stallfirst=5", number: 2).ending == .keepAlive)
    }

    @Test(arguments: [("drop=1234567", RawClient.Ending.closed), ("drop=1234567&reset", .reset)])
    func `is cut off after exactly the requested bytes`(options: String, ending: RawClient.Ending) async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("d", "size=3M") + "&" + options)
            let (bytes, seen) = client.readAll()
            #expect(seen == ending)
            let response = try #require(Response(bytes))
            #expect(response["Content-Length"] == "3145728")
            #expect(response.body == SeededContent(name: "d").bytes(in: 0..<1_234_567))
        }
    }

    @Test func `stalls with the connection open, permanently or for a given time`() async throws {
        try await FaultServer.serving { server in
            let stuck = try RawClient(server)
            stuck.request(server.url("s", "size=100", "stall=40"))
            let (bytes, ending) = stuck.readAll(silence: .milliseconds(80))
            #expect(ending == .open)
            #expect(Response(bytes)?.body.count == 40)
            #expect(server.requests.last?.isFinished == false)

            let client = try RawClient(server)
            client.request(server.url("t", "size=100", "stall=40", "stallfor=0.05"))
            #expect(client.readResponse()?.body == SeededContent(name: "t").bytes(in: 0..<100))
        }
    }

    @Test func `keeps to its rate and its latency`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            let start = ContinuousClock.now
            client.request(server.url("r", "size=20K", "rate=100K", "latency=0.03"))
            #expect(client.readResponse()?.body.count == 20 << 10)
            let elapsed = ContinuousClock.now - start
            // Four slices of 5 KiB, 50 ms apart, the last without a wait after it.
            #expect(elapsed >= .milliseconds(170))
            #expect(elapsed < .seconds(3))
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
            #expect(other.readResponse()?.body.count == 10)
            #expect(server.requests(for: "b").first?.isFinished == false)
            withExtendedLifetime(lazy) {}
        }
    }
}
