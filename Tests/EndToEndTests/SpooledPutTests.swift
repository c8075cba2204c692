import FaultServer
import Foundation
import TestSupport
import Testing

/// Streams that are sent to servers which want to know the size before the first byte.
@Suite(.serialized) struct `An upload of a stream whose size is needed` {
    private let folder: TestFolder
    private static let content = String(repeating: "0123456789abcdef", count: 200_000)

    init() throws { folder = try TestFolder() }

    private func put(_ url: String, _ arguments: String..., temporary: String? = nil) async throws -> Program.Result {
        folder.feed(Data(Self.content.utf8), to: "pipe")
        let options = ["--output", "json", "--retry-wait", "0.1"]
        return try await Program(
            ["put", "pipe", url] + options + arguments, in: folder,
            environment: ["TMPDIR": temporary ?? folder.url.path]
        ).wait()
    }

    @Test(arguments: [[], ["dropfirst=1M"]])
    func `is sent with its size after a refusal`(options: [String]) async throws {
        try await FaultServer.serving { server in
            let result = try await put(server.uploadURL("x", "needlength", options.joined(separator: "&")))
            expectEqual(result.code, 0, "\(result.output)")
            // Another attempt has the whole stream already.
            expect(
                !options.isEmpty || result.output.contains("read to its end before it was sent"), "\(result.output)")
            expectEqual(server.uploaded("x").map { String(decoding: $0, as: UTF8.self) }, Self.content)
            expectEqual(server.uploads(to: "x").last?.declaredLength, Int64(Self.content.utf8.count))
            try expectEqual(folder.names().filter { $0.hasPrefix("winch-") }, [])
        }
    }

    /// The server asks for the login only when it has the whole body, for which it has asked itself.
    @Test func `is sent again with the login after a late challenge`() async throws {
        try await FaultServer.serving { server in
            let url = server.uploadURL("x", "user=a", "pass=b", "answerat=end", "expect=on")
            let result = try await put(url, "--user", "a", "--password", "b")
            expectEqual(result.code, 0, "\(result.output)")
            expectEqual(server.uploaded("x").map { String(decoding: $0, as: UTF8.self) }, Self.content)
            // Nothing of the stream was sent while it was not kept, and no login before the challenge.
            let first = server.uploads(to: "x").first
            expect(first?.bytesRead == 0 && first?.request.header("Authorization") == nil)
        }
    }

    @Test func `is not kept when the server asks for the login before the body`() async throws {
        try await FaultServer.serving { server in
            let result = try await put(server.uploadURL("x", "user=a", "pass=b"), "--user", "a", "--password", "b")
            expect(result.code == 0 && !result.output.contains("read to its end"), "\(result.output)")
            expectEqual(server.uploaded("x").map { String(decoding: $0, as: UTF8.self) }, Self.content)
            expectNil(server.uploads(to: "x").last?.declaredLength)
        }
    }

    @Test func `is sent by tus, and goes on after a break`() async throws {
        try await FaultServer.serving { server in
            let result = try await put(server.origin + "/tus?dropfirst=700000", "--resumable", "tus")
            expectEqual(result.code, 0, "\(result.output)")
            expectEqual(server.tusUploads.map { String(decoding: $0.bytes, as: UTF8.self) }, [Self.content])
            // One upload was created, and what the server had of it was not sent again.
            expectEqual(server.uploads.filter { $0.request.method == "POST" }.count, 1)
            let received = server.uploads.map(\.bytesRead).reduce(0, +)
            expectLess(received, than: Int64(Self.content.utf8.count) + 1 << 20, "\(received)")
        }
    }

    @Test func `fails with the folder's name where it cannot be kept`() async throws {
        try await FaultServer.serving { server in
            let result = try await put(server.uploadURL("x", "needlength"), temporary: "/nowhere")
            expect(result.code != 0)
            expect(result.output.contains("cannot be kept in /nowhere until its length is known"), "\(result.output)")
        }
    }
}
