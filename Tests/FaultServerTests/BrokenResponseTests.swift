import FaultServer
import Testing

/// The faults, over real sockets, as a client receives them.
@Suite struct `A faulty response` {
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

    @Test func `can end before its first byte`() async throws {
        try await FaultServer.serving { server in
            let url = server.url("s", "status=close,reset,200", "size=3")
            for ending in [RawClient.Ending.closed, .reset] {
                let client = try RawClient(server)
                client.request(url)
                let (bytes, seen) = client.readAll()
                #expect(bytes == [])
                #expect(seen == ending)
            }
            let client = try RawClient(server)
            client.request(url)
            #expect(client.readResponse()?.status == 200)
            #expect(server.requests.map(\.status) == [0, 0, 200])
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

    @Test(arguments: [
        ("length=5", "5", 10), ("length=50", "50", 10), ("lengthraw=1e3", "1e3", 10), ("extra=7", "10", 17),
    ])
    func `declares a wrong length`(options: String, declared: String, count: Int) async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("l", "size=10") + "&" + options)
            let (bytes, ending) = client.readAll()
            let response = try #require(Response(bytes))
            #expect(ending == .closed)
            #expect(response["Content-Length"] == declared)
            #expect(response.body.count == count)
            #expect(response.body.prefix(10) == SeededContent(name: "l").bytes(in: 0..<10)[...])
        }
    }

    @Test func `ignores a range, or starts at another offset`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("o", "size=10", "ranges=off"), "Range: bytes=4-")
            let whole = try #require(client.readResponse())
            #expect(whole.status == 200)
            #expect(whole["Accept-Ranges"] == nil)
            client.request(server.url("o", "size=10", "ranges=lie"), "Range: bytes=4-")
            let shifted = try #require(client.readResponse())
            #expect(shifted.status == 206)
            #expect(shifted["Content-Range"] == "bytes 3-9/10")
            #expect(shifted.body == SeededContent(name: "o").bytes(in: 3..<10))
        }
    }

    @Test func `is a different file from one request to the next`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            let url = server.url("v", "size=10", "change=2")
            var tags: [String?] = []
            for version in [0, 0, 1, 1, 2] {
                client.request(url)
                let response = try #require(client.readResponse())
                #expect(response.body == SeededContent(name: "v", version: version).bytes(in: 0..<10))
                tags.append(response["ETag"])
            }
            #expect(Set(tags).count == 3)
            client.request(url, "Range: bytes=5-", "If-Range: \(tags[0] ?? "")")
            #expect(client.readResponse()?.status == 200)
        }
    }

    @Test func `has a Retry-After in seconds or as a date`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("w", "status=429", "retryafter=7"))
            let response = try #require(client.readResponse())
            #expect(response.status == 429)
            #expect(response["Retry-After"] == "7")
            client.request(server.url("x", "status=503", "retryafter=date:7"))
            #expect(client.readResponse()?["Retry-After"]?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `refuses clients above the limit`() async throws {
        try await FaultServer.serving { server in
            var first: RawClient? = try RawClient(server)
            first?.request(server.url("a", "size=9", "stall=3", "limit=1", "limitkey=k"))
            while server.requests.isEmpty { await Task.yield() }
            let second = try RawClient(server)
            second.request(server.url("b", "size=9", "limit=1", "limitkey=k", "retryafter=1"))
            let refusal = try #require(second.readResponse())
            #expect(refusal.status == 503)
            #expect(refusal["Retry-After"] == "1")
            first = nil
            while server.openConnections > 1 { await Task.yield() }
            second.request(server.url("b", "size=9", "limit=1", "limitkey=k"))
            #expect(second.readResponse()?.status == 200)
        }
    }

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

    @Test func `redirects to another origin`() async throws {
        try await FaultServer.serving { server in
            try await FaultServer.serving { other in
                let destination = other.url("far", "size=3", "disposition=a b%")
                let client = try RawClient(server)
                client.request(server.url("near", "redirectto=\(destination)", "redirectcode=307"))
                let response = try #require(client.readResponse())
                #expect(response.status == 307)
                #expect(response["Location"] == destination)
            }
        }
    }
}
