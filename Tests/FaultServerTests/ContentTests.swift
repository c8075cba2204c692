import TestSupport
import Testing

@testable import FaultServer

@Suite struct `Seeded content` {
    @Test(arguments: [0..<0, 0..<1, 3..<5, 7..<9, 8..<16, 5..<100, 999..<1000])
    func `has the same bytes at any starting offset`(range: Range<Int64>) {
        let content = SeededContent(seed: 7)
        let whole = content.bytes(in: 0..<1000)
        expectEqual(content.bytes(in: range), Array(whole[Int(range.lowerBound)..<Int(range.upperBound)]))
    }

    @Test func `extends beyond four gigabytes`() {
        let content = SeededContent(seed: 7)
        let far: Int64 = 5 << 30
        expect(content.bytes(in: far..<far + 16) != content.bytes(in: 0..<16))
        expectEqual(content.bytes(in: far - 3..<far + 16).dropFirst(3), content.bytes(in: far..<far + 16)[...])
    }

    @Test func `differs by name, seed and version`() {
        let all = [
            SeededContent(name: "a"), SeededContent(name: "b"), SeededContent(seed: 1), SeededContent(seed: 2),
            SeededContent(name: "a", version: 1), SeededContent(name: "a", version: 2),
        ].map { $0.bytes(in: 0..<32) }
        expectEqual(Set(all).count, all.count)
    }
}

@Suite struct `A fault of the content` {
    @Test func `sends a page instead of the file`() throws {
        try expectEqual(ResponsePlan.planned("page=2", number: 1).steps.count, 2)
        let page = try ResponsePlan.planned("page=2", number: 2)
        expectEqual(page.status, 200)
        expect(ResponsePlan.rawText(page).contains("Content-Type: text/html"))
    }

    @Test(
        arguments: [
            ("etag=x", "\"x\"", 304), ("etag=x", "\"y\", W/\"x\"", 304), ("weaketag=x", "W/\"x\"", 304),
            ("etag=x", "\"y\"", 200), ("noetag", "\"x\"", 200),
        ] as [(String, String, Int)])
    func `honours If-None-Match`(query: String, condition: String, status: Int) throws {
        try expectEqual(ResponsePlan.planned(query, ("If-None-Match", condition)).status, status)
    }

    @Test(arguments: [("grow=10", 1, 100), ("grow=10", 2, 110), ("grow=10", 3, 120), ("shrink=60", 3, 0)])
    func `sends versions of different length`(option: String, number: Int, size: Int64) throws {
        let lengths = ResponsePlan.rawText(try ResponsePlan.planned("size=100&change=1&" + option, number: number))
        expect(lengths.contains("Content-Length: \(size)\r\n"))
    }

    @Test func `changes the file only a given number of times`() throws {
        let tags = try (1...4).map {
            try ResponsePlan.rawText(ResponsePlan.planned("change=1&versions=2", number: $0)).contains("-v1\"")
        }
        expectEqual(tags, [false, true, true, true])
    }

    @Test func `is a different file from one request to the next`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            let url = server.url("v", "size=10", "change=2")
            var tags: [String?] = []
            for version in [0, 0, 1, 1, 2] {
                client.request(url)
                let response = try require(client.readResponse())
                expectEqual(response.body, SeededContent(name: "v", version: version).bytes(in: 0..<10))
                tags.append(response["ETag"])
            }
            expectEqual(Set(tags).count, 3)
            client.request(url, "Range: bytes=5-", "If-Range: \(tags[0] ?? "")")
            expectEqual(client.readResponse()?.status, 200)
        }
    }
}
