import FaultServer
import TestSupport
import Testing

/// Uploads by tus, sent by curl.
@Suite struct `The fault server's tus site` {
    private let content = SeededContent(name: "tus").bytes(in: 0..<300_000)

    private struct Answer {
        let status: String
        let text: String

        func field(_ name: String) -> String? {
            text.split(separator: "\r\n").last { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private func send(_ method: String, _ url: String, _ headers: String..., body: ArraySlice<UInt8>? = nil)
        async throws -> Answer
    {
        var arguments = method == "HEAD" ? ["-I"] : ["-i", "-X", method]
        arguments += ["-w", "\n%{http_code}", url, "-H", "Tus-Resumable: 1.0.0", "-H", "Expect:"]
        arguments += headers.flatMap { ["-H", $0] }
        if body != nil {
            arguments += ["-H", "Content-Type: application/offset+octet-stream", "--data-binary", "@-"]
        }
        let curl = try await Curl.run(arguments, input: Array(body ?? []))
        return Answer(status: String(curl.output.suffix(3)), text: curl.output)
    }

    private func create(_ server: FaultServer, _ options: String = "", length: Int = 300_000) async throws -> Answer {
        try await send("POST", server.tusURL() + options, "Upload-Length: \(length)", "Upload-Metadata: filename eA==")
    }

    @Test func `creates, takes parts, tells the offset and ends an upload`() async throws {
        try await FaultServer.serving { server async throws in
            let created = try await create(server)
            expectEqual(created.status, "201")
            let url = try require(created.field("Location"))
            expectEqual(url, server.origin + "/tus/1")
            try await expectEqual(send("PATCH", url, "Upload-Offset: 0", body: content[..<100_000]).status, "204")
            let head = try await send("HEAD", url)
            expect(head.field("Upload-Offset") == "100000" && head.field("Upload-Length") == "300000")
            try await expectEqual(send("PATCH", url, "Upload-Offset: 99999", body: content[99_999...]).status, "409")
            let last = try await send("PATCH", url, "Upload-Offset: 100000", body: content[100_000...])
            expectEqual(last.field("Upload-Offset"), "300000")
            let upload = try require(server.tusUploads.first)
            let isWhole = upload.isComplete && upload.bytes == content
            expect(isWhole)
            try await expectEqual(send("DELETE", url).status, "204")
            try await expectEqual(send("HEAD", url).status, "404")
            expectEqual(server.uploads.filter { $0.method == "PATCH" }.map(\.status), [204, 409, 204])
        }
    }

    @Test func `keeps what came before a cut, unless told otherwise`() async throws {
        try await FaultServer.serving { server async throws in
            for (options, kept) in [("?drop=70000", "70000"), ("?dropfirst=70000&keepwhole", "0")] {
                let url = try await require(create(server, options).field("Location"))
                _ = try await send("PATCH", url, "Upload-Offset: 0", body: content[...])
                try await expectEqual(send("HEAD", url).field("Upload-Offset"), kept)
            }
            let isStart = server.tusUploads.first?.bytes == Array(content[..<70_000])
            expect(isStart)
        }
    }

    @Test(arguments: [
        ("?location=path", "/tus/1"), ("?location=relative", "tus/1"), ("?location=https://h/", "https://h/1"),
    ])
    func `names the upload as asked`(options: String, location: String) async throws {
        try await FaultServer.serving { server async throws in
            try await expectEqual(create(server, options).field("Location"), location)
        }
    }

    @Test func `loses uploads, refuses and lies`() async throws {
        try await FaultServer.serving { server async throws in
            let options = "?lose=100000&status=503,204&headoffset=9&create=503,201"
            try await expectEqual(create(server, options).status, "503")
            let url = try await require(create(server, options).field("Location"))
            let part = content[..<100_000]
            try await expectEqual(send("PATCH", url, "Upload-Offset: 0", body: part).status, "503")
            try await expectEqual(send("HEAD", url).field("Upload-Offset"), "9")
            try await expectEqual(send("PATCH", url, "Upload-Offset: 0", body: part).status, "204")
            try await expectEqual(send("HEAD", url).status, "404")
            try await expectEqual(create(server, "?notus").status, "405")
            try await expectEqual(create(server, "?maxsize=1K").status, "413")
        }
    }
}
