import TestSupport
import Testing

@testable import FaultServer

@Suite struct `A body that arrives` {
    private func machine(_ query: String, method: String = "PUT", length: Int? = 100, number: Int = 1) throws
        -> UploadBodyMachine
    {
        let target = RequestTarget("/up/a?" + query)
        let options = try require(FaultOptions(target))
        let header = length.map { ("Content-Length", String($0)) } ?? ("Transfer-Encoding", "chunked")
        let request = ReceivedRequest(
            method: method, target: "/up/a?" + query, headers: [.init(name: header.0, value: header.1)],
            isKeepAlive: true)
        return UploadBodyMachine(request, options, Visit(number: number, earlierGets: 0), isRefused: false)
    }

    @Test func `is answered at its end`() throws {
        var machine = try machine("")
        expectEqual(machine.began(), [])
        expect(machine.received(60) == (60, []))
        expect(machine.received(40) == (40, []))
        expectEqual(machine.ended(), [.answer(isEarly: false)])
    }

    @Test(arguments: ["drop=70&dropfirst=20", "drop=20", "dropfirst=20"])
    func `is cut at the byte that the URL names`(query: String) throws {
        var machine = try machine(query)
        expectEqual(machine.began(), [])
        expectEqual(machine.nextReading(), .atMost(20, after: .zero))
        expect(machine.received(15) == (15, []))
        expectEqual(machine.nextReading(), .atMost(5, after: .zero))
        expect(machine.received(9) == (5, [.breakOff(reset: false)]), "only what lies before the cut is kept")
        expectEqual(machine.nextReading(), .never)
        expect(machine.received(1) == (0, []))
        expectEqual(machine.ended(), [])
    }

    @Test func `that ends before the cut is whole`() throws {
        for query in ["drop=100", "drop=200", "answerat=100"] {
            var machine = try machine(query)
            expectEqual(machine.began(), [])
            expectEqual(machine.received(100).actions, [])
            expectEqual(machine.ended(), [.answer(isEarly: false)])
        }
    }

    @Test func `stops being read for a while or for ever`() throws {
        var machine = try machine("stall=30&stallfor=2")
        expectEqual(machine.nextReading(), .atMost(30, after: .zero))
        _ = machine.received(30)
        expectEqual(machine.nextReading(), .atMost(UploadBodyMachine.most, after: .seconds(2)))
        _ = machine.received(10)
        expectEqual(machine.nextReading(), .freely)
        machine = try self.machine("stall=30")
        _ = machine.received(30)
        expectEqual(machine.nextReading(), .never)
        expectEqual(machine.nextReading(), .never)
    }

    @Test func `is read at the rate of the URL`() throws {
        var machine = try machine("rate=100")
        expectEqual(machine.nextReading(), .atMost(5, after: .zero))
        _ = machine.received(5)
        expectEqual(machine.nextReading(), .atMost(5, after: .milliseconds(50)))
    }

    @Test(arguments: [("", true), ("&then=close", true), ("&then=cut", false)])
    func `is answered early and then read on or not`(then: String, isRead: Bool) throws {
        var machine = try machine("answerat=10\(then)")
        expectEqual(machine.nextReading(), .atMost(10, after: .zero))
        expect(machine.received(10) == (10, [.answer(isEarly: true)]))
        expect(machine.nextReading() == (isRead ? .freely : .never))
        expect(machine.received(10).kept == (isRead ? 10 : 0))
        expectEqual(machine.ended(), [])
    }

    @Test func `is answered before its first byte when it is refused`() throws {
        var machine = try machine("answerat=0")
        expectEqual(machine.began(), [.answer(isEarly: true)])
        machine = try self.machine("answerat=never")
        _ = machine.received(100)
        expectEqual(machine.ended(), [])
    }

    @Test func `is told of as it is read`() throws {
        var machine = try machine("progress=40", length: nil)
        expectEqual(machine.received(30).actions, [])
        expectEqual(machine.nextReading(), .atMost(10, after: .zero))
        expectEqual(machine.received(10).actions, [.progress(40)])
        expectEqual(machine.received(100).actions, [.progress(140)])
    }
}

/// Uploads that the server receives badly, over real sockets.
@Suite struct `An upload with faults` {
    private let content = [UInt8](repeating: UInt8(ascii: "z"), count: 1_000_000)

    /// - Returns: status of the last answer as curl saw it, and curl's exit code.
    private func put(_ url: String, _ arguments: String...) async throws -> (status: String, code: Int32) {
        let curl = try await Curl.run(
            ["-o", "/dev/null", "-w", "%{http_code}", "-T", "INPUT", url] + arguments, input: content)
        return (curl.output, curl.code)
    }

    private func upload(_ server: FaultServer, _ name: String) throws -> UploadRecord {
        try require(server.uploads(to: name).last)
    }

    @Test func `breaks off after so many bytes`() async throws {
        try await FaultServer.serving { server async throws in
            try await expect(put(server.uploadURL("x", "drop=70000")).code != 0)
            try await settle { server.uploads.last?.status == 0 }
            let cut = try upload(server, "x")
            expect(!cut.isComplete && (70_000..<140_000).contains(cut.bytesRead))
            expectNil(server.uploaded("x"))
            try await expect(put(server.uploadURL("y", "drop=0", "reset")).code != 0)
        }
    }

    @Test(arguments: [
        ("status=413", "413"), ("status=413&then=close", "413"), ("status=507&answerat=90000", "507"),
        ("answerat=90000", "201"), ("status=202&answerat=1000&then=close", "202"), ("status=503&answerat=end", "503"),
        ("needlength&status=200", "200"), ("latency=0.1", "201"), ("reply=300000", "201"), ("location=/up/z", "201"),
    ])
    func `gets the answer of its URL`(query: String, status: String) async throws {
        try await FaultServer.serving { server async throws in
            try await expectEqual(put(server.uploadURL("x") + "?" + query).status, status)
            try expectEqual(upload(server, "x").status.map(String.init), status)
        }
    }

    @Test func `is refused and then accepted`() async throws {
        try await FaultServer.serving { server async throws in
            let url = server.uploadURL("x", "status=503,close,201", "retryafter=7", "errbody=9")
            let first = try await Curl.run("-i", "-T", "INPUT", url, input: content)
            expect(first.output.contains("HTTP/1.1 503") && first.output.contains("Retry-After: 7\r\n"))
            try await expectEqual(put(url).status, "000")
            try await expectEqual(put(url).status, "201")
            expectEqual(server.uploads.map(\.status), [503, 0, 201])
        }
    }

    @Test func `waits for 100, gets none, or is refused before its body`() async throws {
        try await FaultServer.serving { server async throws in
            let patient = ["-H", "Expect: 100-continue", "--expect100-timeout", "10"]
            func run(_ options: String..., more: [String] = []) async throws -> String {
                let url = server.uploadURL("x") + "?" + options.joined(separator: "&")
                return try await Curl.run(
                    ["-o", "/dev/null", "-w", "%{http_code}", "-T", "INPUT", url] + patient + more, input: content
                ).output
            }
            try await expectEqual(run(), "201")
            try expectEqual(upload(server, "x").interim, [100])
            try await expectEqual(run("status=413"), "413")
            try expect(upload(server, "x").bytesRead == 0 && upload(server, "x").interim == [])
            try await expectEqual(run("expect=off", more: ["--expect100-timeout", "0.1"]), "204")
            try expectEqual(upload(server, "x").interim, [])
            _ = try await run("expect=417")
            expect(server.uploads(to: "x").contains { $0.status == 417 && $0.bytesRead == 0 })
        }
    }

    @Test func `needs a login, also by Digest`() async throws {
        try await FaultServer.serving { server async throws in
            let basic = server.uploadURL("x", "user=me", "pass=secret")
            try await expectEqual(put(basic).status, "401")
            try await expectEqual(put(basic, "-u", "me:secret").status, "201")
            try await expectEqual(put(basic + "&digest", "--digest", "-u", "me:secret").status, "204")
        }
    }

    @Test func `is refused without a length`() async throws {
        try await FaultServer.serving { server async throws in
            let chunked = try await Curl.run(
                "-w", "%{http_code}", "-o", "/dev/null", "-T", "-", server.uploadURL("x", "needlength"), input: content)
            expectEqual(chunked.output, "411")
        }
    }

    @Test func `is told how much has been read`() async throws {
        try await FaultServer.serving { server async throws in
            let url = server.uploadURL("x", "progress=250000")
            let curl = try await Curl.run("-i", "-H", "Expect:", "-T", "INPUT", url, input: content)
            expect(curl.output.contains("HTTP/1.1 104 Upload Resumption Supported\r\n"))
            expect(curl.output.contains("Upload-Offset: 1000000\r\n"))
            try expectEqual(upload(server, "x").interim, [104, 104, 104, 104])
        }
    }

    /// Waits until the server has seen what the client did last.
    private func settle(_ condition: () -> Bool) async throws {
        for _ in 0..<500 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        expect(condition())
    }
}
