import Testing

@testable import FaultServer

@Suite struct `A fault of the content` {
    @Test func `sends a page instead of the file`() throws {
        #expect(try ResponsePlan.planned("page=2", number: 1).steps.count == 2)
        let page = try ResponsePlan.planned("page=2", number: 2)
        #expect(page.status == 200)
        #expect(ResponsePlan.rawText(page).contains("Content-Type: text/html"))
    }

    @Test(arguments: [("grow=10", 1, 100), ("grow=10", 2, 110), ("grow=10", 3, 120), ("shrink=60", 3, 0)])
    func `sends versions of different length`(option: String, number: Int, size: Int64) throws {
        let lengths = ResponsePlan.rawText(try ResponsePlan.planned("size=100&change=1&" + option, number: number))
        #expect(lengths.contains("Content-Length: \(size)\r\n"))
    }

    @Test func `changes the file only a given number of times`() throws {
        let tags = try (1...4).map {
            try ResponsePlan.rawText(ResponsePlan.planned("change=1&versions=2", number: $0)).contains("-v1\"")
        }
        #expect(tags == [false, true, true, true])
    }

    @Test(
        arguments: [
            ("etag=x", "\"x\"", 304), ("etag=x", "\"y\", W/\"x\"", 304), ("weaketag=x", "W/\"x\"", 304),
            ("etag=x", "*", 304), ("etag=x", "\"y\"", 200), ("noetag", "\"x\"", 200),
        ] as [(String, String, Int)])
    func `honours If-None-Match`(query: String, condition: String, status: Int) throws {
        #expect(try ResponsePlan.planned(query, ("If-None-Match", condition)).status == status)
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
}
