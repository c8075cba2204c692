import TestSupport
import Testing

@testable import FaultServer

@Suite struct `A fault of the head` {
    @Test func `sends interim responses before its own, and lines without a meaning`() throws {
        let heads = ResponsePlan.rawText(try ResponsePlan.planned("size=1&interim=103,103,100&lines=5"))
        expect(heads.hasPrefix("HTTP/1.1 103 Early Hints\r\n"))
        expectEqual(heads.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }, ["103", "103", "100", "200"])
        expectEqual(heads.ranges(of: "\r\nX-Filler-").count, 5)
        #expect(throws: FaultServerFailure.self) { try ResponsePlan.planned("interim=200") }
    }

    @Test func `writes headers byte for byte, including hostile ones`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            let target = "/f/x?size=1&disposition=a;%20filename=%22%1B%5B2J%FF.bin%22&header=X-Odd:%00%E6%97%A5"
            client.request(server.origin + target)
            let response = try require(client.readResponse())
            expectEqual(
                response.headers["content-disposition"],
                Array("a; filename=\"\u{1B}[2J".utf8) + [0xFF]
                    + Array(".bin\"".utf8))
            expectEqual(response.headers["x-odd"], [0, 0xE6, 0x97, 0xA5])
        }
    }
}

@Suite struct `A response written out in the URL` {
    @Test func `can be given byte for byte`() async throws {
        try await FaultServer.serving { server in
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"
            let client = try RawClient(server)
            client.request(server.rawURL(answer))
            let (bytes, ending) = client.readAll()
            expectEqual(String(decoding: bytes, as: UTF8.self), answer)
            expectEqual(ending, .closed)
        }
    }
}
