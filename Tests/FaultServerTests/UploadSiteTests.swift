import FaultServer
import Testing

/// Uploads without faults, sent by curl.
@Suite struct `The fault server's upload site` {
    private let content = SeededContent(name: "upload").bytes(in: 0..<300_000)

    @Test func `keeps what is put`() async throws {
        try await FaultServer.serving { server in
            let url = server.uploadURL("a b.bin")
            let first = try await Curl.run("-T", "INPUT", url, input: content)
            #expect(first.output == "201\n")
            // Compared before the expectation, which would print all the bytes.
            let isKept = server.uploaded("a b.bin") == content
            #expect(isKept)
            let second = try await Curl.run("-T", "INPUT", "-w", "%{http_code}", url, input: content)
            #expect(second.output == "204", "replaced")
        }
    }

    @Test func `logs what it has read of each body, and when`() async throws {
        try await FaultServer.serving { server in
            _ = try await Curl.run("-T", "-", "-H", "X-A: b", server.uploadURL("chunked"), input: content)
            _ = try await Curl.run("--data-binary", "@-", server.uploadURL("posted"), input: content)
            let chunked = try #require(server.uploads(to: "chunked").first)
            #expect(chunked.isChunked && chunked.declaredLength == nil && chunked.isComplete)
            #expect(chunked.request.header("x-a") == "b")
            let posted = try #require(server.uploads(to: "posted", method: "POST").first)
            #expect(posted.declaredLength == 300_000 && posted.isComplete && posted.status == 201)
            for upload in [chunked, posted] {
                #expect(upload.bytesRead == 300_000)
                let marks = upload.marks
                #expect(zip(marks, marks.dropFirst()).allSatisfy { $0.time <= $1.time && $0.bytes < $1.bytes })
                let first = try #require(marks.first)
                #expect(upload.bytesRead(at: first.time - 1) == 0)
                #expect(upload.bytesRead(at: .max) == 300_000)
                let middle = try #require(marks.dropFirst(marks.count / 2).first)
                #expect(upload.bytesRead(at: middle.time) >= middle.bytes)
            }
            let json = try await Curl.run(server.origin + "/received").output
            #expect(json.contains("/posted\""))
            #expect(json.contains("\"marks\":[["))
        }
    }

    @Test func `keeps a form as the raw body`() async throws {
        try await FaultServer.serving { server in
            let url = server.uploadURL("form")
            #expect(try await Curl.run("-F", "name=value", "-F", "file=@-", url, input: [1, 2, 3]).code == 0)
            let body = String(decoding: try #require(server.uploaded("form")), as: UTF8.self)
            #expect(body.contains("name=\"name\"\r\n\r\nvalue\r\n") && body.contains("\u{1}\u{2}\u{3}"))
            let upload = try #require(server.uploads(to: "form", method: "POST").first)
            #expect(upload.request.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
        }
    }

    @Test func `needs the folder and makes it on MKCOL`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            func status(_ method: String, _ path: String, _ options: String) throws -> Int {
                client.request(server.uploadURL(path) + options, method: method, "Content-Length: 0")
                return try #require(client.readResponse(toHead: true)).status
            }
            #expect(try status("PUT", "a/b/c", "") == 409)
            #expect(try status("MKCOL", "a/b", "") == 409)
            #expect(try status("MKCOL", "a/", "") == 201)
            #expect(try status("MKCOL", "a", "") == 405)
            #expect(try status("MKCOL", "a/b", "") == 201)
            #expect(try status("PUT", "a/b/c", "") == 201)
            #expect(try status("PUT", "a/b", "") == 409, "a folder")
            #expect(try status("PUT", "x/y/z", "?makefolders") == 201)
            #expect(server.totalConnections == 1)
        }
    }

    @Test func `receives uploads and serves downloads over one connection`() async throws {
        try await FaultServer.serving { server in
            let client = try RawClient(server)
            let put = "PUT /up/x HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\n"
            client.send(put + "hello" + "GET /f/x?size=5 HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
            let bytes = client.readAll().bytes
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(bytes.suffix(5) == SeededContent(name: "x").bytes(in: 0..<5)[...])
            #expect(server.uploaded("x") == Array("hello".utf8))
            server.forget()
            #expect(server.uploaded("x") == nil && server.uploads.isEmpty)
        }
    }
}
