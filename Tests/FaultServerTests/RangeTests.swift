import TestSupport
import Testing

@testable import FaultServer

@Suite struct `A byte range request` {
    @Test(
        arguments: [
            (nil, .whole), ("bytes=0-", .part(0..<100)), ("bytes=10-19", .part(10..<20)),
            ("bytes=99-", .part(99..<100)), ("bytes=90-500", .part(90..<100)), ("bytes=-10", .part(90..<100)),
            ("bytes=-500", .part(0..<100)), ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=20-10", .whole), ("bytes=0-1,5-6", .whole), ("lines=1-2", .whole), ("bytes=", .whole),
            ("bytes=-", .whole), ("bytes=5-99999999999999999999", .part(5..<100)),
            ("bytes=99999999999999999999-", .unsatisfiable),
        ] as [(String?, ByteRangeRequest)])
    func `is resolved against the size`(header: String?, expected: ByteRangeRequest) {
        expectEqual(ByteRangeRequest(header, size: 100), expected)
    }
}

@Suite struct `A fault of ranges` {
    @Test func `refuses every range with 416 and the true size`() throws {
        try expectEqual(ResponsePlan.planned("size=100&ranges=refuse").status, 200)
        let refused = try ResponsePlan.planned("size=100&ranges=refuse", ("Range", "bytes=5-"))
        expectEqual(refused.status, 416)
        expect(ResponsePlan.rawText(refused).contains("Content-Range: bytes */100\r\n"))
    }

    @Test func `answers every range with a status`() throws {
        try expectEqual(ResponsePlan.planned("rangestatus=404").status, 200)
        try expectEqual(ResponsePlan.planned("rangestatus=404", ("Range", "bytes=5-")).status, 404)
    }

    @Test func `sends a Content-Range that does not match the bytes`() throws {
        let lie = try ResponsePlan.planned("size=100&contentrange=bytes%20x", ("Range", "bytes=5-"))
        expectEqual(lie.status, 206)
        expect(ResponsePlan.rawText(lie).contains("Content-Range: bytes x\r\n"))
    }

    @Test(
        arguments: [
            ("etag=x", "\"x\"", 206), ("etag=x", "\"y\"", 200), ("weaketag=x", "W/\"x\"", 200),
            ("noetag", "\"x\"", 200), ("lastmodified=0", "Thu, 01 Jan 1970 00:00:00 GMT", 206),
            ("lastmodified=9", "Thu, 01 Jan 1970 00:00:00 GMT", 200),
        ] as [(String, String, Int)])
    func `honours If-Range`(query: String, condition: String, status: Int) throws {
        try expectEqual(ResponsePlan.planned(query, ("Range", "bytes=5-"), ("If-Range", condition)).status, status)
    }

    @Test func `ignores a range, or starts at another offset`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            client.request(server.url("o", "size=10", "ranges=off"), "Range: bytes=4-")
            let whole = try require(client.readResponse())
            expectEqual(whole.status, 200)
            expectNil(whole["Accept-Ranges"])
            client.request(server.url("o", "size=10", "ranges=lie"), "Range: bytes=4-")
            let shifted = try require(client.readResponse())
            expectEqual(shifted.status, 206)
            expectEqual(shifted["Content-Range"], "bytes 3-9/10")
            expectEqual(shifted.body, SeededContent(name: "o").bytes(in: 3..<10))
        }
    }

    @Test func `ignores If-Range, with or without the version in the answer`() throws {
        for behaviour in ["careless", "bare"] {
            let plan = try ResponsePlan.planned(
                "size=9&etag=x&ranges=\(behaviour)", ("Range", "bytes=5-"), ("If-Range", "\"y\""))
            expectEqual(plan.status, 206)
            expectEqual(ResponsePlan.rawText(plan).contains("ETag"), (behaviour == "careless"))
        }
    }

    @Test func `answers every second request with the whole file`() throws {
        let statuses = try (1...4).map {
            try ResponsePlan.planned("size=9&ranges=alternate", number: $0, ("Range", "bytes=5-")).status
        }
        expectEqual(statuses, [206, 200, 206, 200])
    }

    @Test func `names the content type of several ranges`() throws {
        let plan = try ResponsePlan.planned("size=9&ranges=multipart", ("Range", "bytes=5-"))
        expect(ResponsePlan.rawText(plan).contains("Content-Type: multipart/byteranges"))
    }
}
