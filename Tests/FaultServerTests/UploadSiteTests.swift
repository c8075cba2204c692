import FaultServer
import TestSupport
import Testing

/// Uploads without faults, sent by curl.
@Suite struct `The fault server's upload site` {
    private let content = SeededContent(name: "upload").bytes(in: 0..<300_000)

    @Test func `logs what it has read of each body, and when`() async throws {
        try await FaultServer.serving { server in
            _ = try await Curl.run("-T", "-", "-H", "X-A: b", server.uploadURL("chunked"), input: content)
            _ = try await Curl.run("--data-binary", "@-", server.uploadURL("posted"), input: content)
            let chunked = try require(server.uploads(to: "chunked").first)
            expect(chunked.isChunked && chunked.declaredLength == nil && chunked.isComplete)
            expectEqual(chunked.request.header("x-a"), "b")
            let posted = try require(server.uploads(to: "posted", method: "POST").first)
            expect(posted.declaredLength == 300_000 && posted.isComplete && posted.status == 201)
            for upload in [chunked, posted] {
                expectEqual(upload.bytesRead, 300_000)
                let marks = upload.marks
                expect(zip(marks, marks.dropFirst()).allSatisfy { $0.time <= $1.time && $0.bytes < $1.bytes })
                let first = try require(marks.first)
                expectEqual(upload.bytesRead(at: first.time - 1), 0)
                expectEqual(upload.bytesRead(at: .max), 300_000)
                let middle = try require(marks.dropFirst(marks.count / 2).first)
                expectAtLeast(upload.bytesRead(at: middle.time), middle.bytes)
            }
        }
    }

    @Test func `needs the folder and makes it on MKCOL`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            func status(_ method: String, _ path: String, _ options: String) throws -> Int {
                client.request(server.uploadURL(path) + options, method: method, "Content-Length: 0")
                return try require(client.readResponse(toHead: true)).status
            }
            try expectEqual(status("PUT", "a/b/c", ""), 409)
            try expectEqual(status("MKCOL", "a/b", ""), 409)
            try expectEqual(status("MKCOL", "a/", ""), 201)
            try expectEqual(status("MKCOL", "a", ""), 405)
            try expectEqual(status("MKCOL", "a/b", ""), 201)
            try expectEqual(status("PUT", "a/b/c", ""), 201)
            try expectEqual(status("PUT", "a/b", ""), 409, "a folder")
            try expectEqual(status("PUT", "x/y/z", "?makefolders"), 201)
            expectEqual(server.totalConnections, 1)
        }
    }
}
