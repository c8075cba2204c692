import Testing

@testable import FaultServer

@Suite struct `A fault of the framing` {
    @Test func `omits the last chunk`() throws {
        #expect(ResponsePlan.rawText(try ResponsePlan.planned("size=9&chunked")).hasSuffix("0\r\n\r\n"))
        let cut = try ResponsePlan.planned("size=9&chunked&noend")
        #expect(!ResponsePlan.rawText(cut).hasSuffix("0\r\n\r\n"))
        #expect(cut.ending == .close)
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

    @Test func `frames a chunked body and ends it correctly`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("c", "size=20", "chunked"), "Connection: close")
            let response = try #require(Response(client.readAll().bytes))
            #expect(response["Transfer-Encoding"] == "chunked")
            #expect(response["Content-Length"] == nil)
            let content = SeededContent(name: "c").bytes(in: 0..<20)
            #expect(response.body == Array("14\r\n".utf8) + content + Array("\r\n0\r\n\r\n".utf8))
        }
    }

    @Test func `is told in the head before the body`() throws {
        #expect(try ResponsePlan.rawText(.planned("size=9&chunked")).contains("Transfer-Encoding: chunked\r\n"))
        #expect(try ResponsePlan.rawText(.planned("size=9&http10")).hasPrefix("HTTP/1.0 200"))
        let open = try ResponsePlan.planned("size=9&nolength")
        #expect(!ResponsePlan.rawText(open).contains("Content-Length"))
        #expect(open.ending == .close)
    }

    @Test func `has one wrong byte where it is asked for`() throws {
        let good = try ResponsePlan.planned("size=9")
        let bad = try ResponsePlan.planned("size=9&wrongbyte=4")
        #expect(bad.steps != good.steps)
        #expect(ResponsePlan.rawText(bad) == ResponsePlan.rawText(good), "the head is the same")
    }

    @Test func `has lines after the last chunk`() throws {
        let plan = try ResponsePlan.planned("size=9&chunked&trailer=X-A:%20b")
        #expect(ResponsePlan.rawText(plan).hasSuffix("0\r\nX-A: b\r\n\r\n"))
    }
}
