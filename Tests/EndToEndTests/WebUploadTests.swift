import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// Uploads by PUT, POST and forms.
@Suite(.serialized) struct `An upload to a web server` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func run(_ arguments: String..., input: String? = nil) async throws -> Program.Result {
        let options = ["--output", "json", "--retry-wait", "0.1"]
        return try await Program(arguments + options, in: folder, input: input).wait()
    }

    /// The positions in the order of the events, of the first transfer.
    private func sent(_ result: Program.Result) throws -> [Int] {
        try result.events().filter { $0["id"] as? Int == 1 }.compactMap { $0["have"] as? Int }
    }

    @Test func `arrives whole, whatever its size and name`() async throws {
        try await FaultServer.serving { server in
            let names = [("empty", 0), ("one", 1), ("3 MB ü#?.bin", 3_000_000)]
            for (name, size) in names { try folder.writeRandom(size, to: name) }
            let result = try await run(
                "put", names[0].0, names[1].0, names[2].0, server.uploadURL("in/"), "--create-dirs")
            expectEqual(result.code, 0, "\(result.output)")
            for (name, _) in names {
                try expectEqual(server.uploaded("in/\(name)").map { Data($0) }, folder.bytes(name))
            }
            expectEqual(server.uploads(to: "in/one", method: "PUT").first?.expectsContinue, false)
            expectEqual(server.uploads(to: "in/3 MB ü#?.bin", method: "PUT").first?.expectsContinue, true)
        }
    }

    @Test func `of a folder makes each folder once, and sends each file by one request`() async throws {
        try await FaultServer.serving { server in
            let folders = ["photos/empty"] + (0..<6).map { "photos/\($0)/in \($0)" }
            for name in folders {
                try folder.makeFolder(name)
            }
            let files = (0..<120).map { "\(folders[$0 % 6 + 1])/f\($0)" }
            for name in files { try folder.write(name, to: name) }
            func sent() -> [Int] { files.map { server.uploads(to: "in/\($0)", method: "PUT").count } }
            let once = files.map { _ in 1 }
            let result = try await run("put", "-r", "photos", server.uploadURL("in/"), "-j", "8")
            expectEqual(result.code, 0, "\(result.output)")
            expectEqual(sent(), once)
            for name in files { try expectEqual(server.uploaded("in/\(name)").map { Data($0) }, folder.bytes(name)) }
            let asked = server.uploads.filter { $0.method == "MKCOL" }
            expect(asked.allSatisfy { $0.status == 201 || $0.status == 409 }, "\(asked.map(\.status))")
            let made = asked.filter { $0.status == 201 }.map { $0.path.hasSuffix("/") ? $0.path : $0.path + "/" }
            let parents = ["", "photos/"] + (0..<6).map { "photos/\($0)/" }
            expectEqual(made.sorted(), (parents + folders.map { $0 + "/" }).map { "/up/in/\($0)" }.sorted())
            try await expectEqual(run("put", "-r", "photos", server.uploadURL("in/"), "-j", "8").code, 0)
            expectEqual(sent(), once)
        }
    }

    @Test func `is a POST or a form when asked`() async throws {
        try await FaultServer.serving { server in
            try folder.write("content", to: "a\"b.txt")
            try await expectEqual(run("-T", "a\"b.txt", "--method", "POST", server.uploadURL("post")).code, 0)
            expectEqual(server.uploads(to: "post", method: "POST").first?.isComplete, true)
            let form = try await run("-F", "x=ü\"", "-F", "file=@a\"b.txt", server.uploadURL("form"))
            expectEqual(form.code, 0, "\(form.output)")
            let request = try server.uploads(to: "form", method: "POST").first.unwrapped("a request")
            let type = try request.request.header("Content-Type").unwrapped("a type")
            expect(type.hasPrefix("multipart/form-data; boundary="))
            let boundary = type.dropFirst("multipart/form-data; boundary=".count)
            let body = """
                --\(boundary)\r
                Content-Disposition: form-data; name="x"\r
                \r
                ü"\r
                --\(boundary)\r
                Content-Disposition: form-data; name="file"; filename="a%22b.txt"\r
                Content-Type: text/plain\r
                \r
                content\r
                --\(boundary)--\r

                """
            expectEqual(server.uploaded("form").map { String(decoding: $0, as: UTF8.self) }, body)
            expectEqual(request.declaredLength, Int64(body.utf8.count))
        }
    }

    /// A FIFO is read once, and its size is not known.
    @Test func `of a stream is sent in chunks`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(3_000_000, to: "x")
            try folder.feed(folder.bytes("x"), to: "pipe")
            let result = try await run("put", "pipe", server.uploadURL("stream"))
            expectEqual(result.code, 0, "\(result.output)")
            try expectEqual(server.uploaded("stream").map { Data($0) }, folder.bytes("x"))
            expectEqual(server.uploads(to: "stream").first?.isChunked, true)
            let input = try await run("put", "-", server.uploadURL("input"), input: "typed")
            expectEqual(input.code, 0, "\(input.output)")
            expectEqual(server.uploaded("input").map { String(decoding: $0, as: UTF8.self) }, "typed")
        }
    }

    /// What was read from a stream is gone: the rest of it must never pass for the whole.
    @Test(arguments: [(200_000, true), (3_000_000, false)])
    func `of a stream is sent again only while its first bytes are kept`(size: Int, isRepeated: Bool) async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(size, to: "x")
            try folder.feed(folder.bytes("x"), to: "pipe")
            let result = try await run("put", "pipe", server.uploadURL("stream", "dropfirst=\(size / 2)"))
            if isRepeated {
                expectEqual(result.code, 0, "\(result.output)")
                try expectEqual(server.uploaded("stream").map { Data($0) }, folder.bytes("x"))
            } else {
                expect(result.code == 1 && result.output.contains("can be read only once"), "\(result.output)")
                expectNil(server.uploaded("stream"))
            }
        }
    }

    @Test func `follows a redirect that keeps the method, from the first byte`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(700_000, to: "x")
            let target = server.uploadURL("there").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let url = server.uploadURL("here") + "?redirect=1&redirectcode=308&redirectto=\(target)&answerat=end"
            let result = try await run("put", "x", url)
            expectEqual(result.code, 0, "\(result.output)")
            try expectEqual(server.uploaded("there").map { Data($0) }, folder.bytes("x"))
            expectNil(server.uploaded("here"))
            let events = try result.events()
            let back = events.filter { $0["event"] as? String == "rebase" && $0["cause"] as? String == "sentAgain" }
            expect(back.count == 1 && back.first?["have"] as? Int == 0, "\(result.output)")
        }
    }

    @Test func `costs no body when it is refused before`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(5_000_000, to: "x")
            let result = try await run("put", "x", server.uploadURL("x", "status=413"), "--max-tries", "1")
            expect(result.code == 22 && result.output.contains("413"), "\(result.output)")
            let read = server.uploads(to: "x", method: "PUT").map(\.bytesRead)
            expect(read.count == 1 && read[0] == 0, "\(read)")
            try expect(sent(result).allSatisfy { $0 == 0 })
            // Refused for a while.
            let later = try await run("put", "x", server.uploadURL("y", "status=503,201", "retryafter=1"))
            expectEqual(later.code, 0, "\(later.output)")
            try expectEqual(server.uploaded("y").map { Data($0) }, folder.bytes("x"))
        }
    }

    @Test func `is sent whole again after a break, from exactly nothing`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(4_000_000, to: "x")
            let result = try await run("put", "x", server.uploadURL("x", "dropfirst=1M", "rate=8M"))
            expectEqual(result.code, 0, "\(result.output)")
            try expectEqual(server.uploaded("x").map { Data($0) }, folder.bytes("x"))
            let events = try result.events()
            let changes = events.filter { $0["id"] as? Int == 1 }.compactMap { $0["delta"] as? Int }
            expectEqual(changes.reduce(0, +), 4_000_000)
            let back = try events.first { $0["event"] as? String == "rebase" }.unwrapped("a rebase")
            expect(back["have"] as? Int == 0 && back["cause"] as? String == "lostOnRetry", "\(result.output)")
        }
    }

    /// A server that was asked for permission has answered 100; the end of the connection is no broken answer for that.
    @Test func `is sent again when the connection ends in place of the answer`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(2_000_000, to: "x")
            let result = try await run("put", "x", server.uploadURL("x", "status=close,201", "answerat=end"))
            expectEqual(result.code, 0, "\(result.output)")
            expectEqual(server.uploads(to: "x").map(\.interim), [[100], [100]])
            try expectEqual(server.uploaded("x").map { Data($0) }, folder.bytes("x"))
        }
    }

    /// libcurl itself sends it again on the same connection only.
    @Test func `refused for its Expect is sent again without`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(2_000_000, to: "x")
            let url = server.uploadURL("x", "expect=417") + "&header=Connection%3A%20close"
            let result = try await run("put", "x", url, "--max-tries", "1")
            expectEqual(result.code, 0, "\(result.output)")
            try expectEqual(server.uploaded("x").map { Data($0) }, folder.bytes("x"))
        }
    }

    /// libcurl repeats what a kept connection has not answered.
    @Test func `by POST is not sent twice when the connection of the last one closes`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(200, to: "x")
            let entries = [server.uploadURL("one"), server.uploadURL("two", "status=close")]
            try folder.write(entries.map { "\($0)\n  upload=x\n  method=POST\n" }.joined(), to: "list")
            let result = try await run("-i", "list", "-j", "1", "--max-tries", "1")
            expect(result.code == 6 && result.output.contains("it may have been received"), "\(result.output)")
            expectEqual(server.uploads(to: "two", method: "POST").count, 1)
        }
    }

    /// Only the server knows whether it has it.
    @Test(arguments: [SIGKILL, SIGTERM])
    func `by POST that was interrupted is not sent again by the next run`(signal: Int32) async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(200, to: "x")
            let url = server.uploadURL("x", "latency=60")
            let program = try Program(["put", "x", url, "--method", "POST", "--output", "json"], in: folder)
            try await eventually("an upload") { !server.uploads.isEmpty }
            program.signal(signal)
            let output = try await program.wait().output + run().output
            expect(output.contains("it may have been received"), "\(output)")
            expectEqual(server.uploads(to: "x", method: "POST").count, 1)
        }
    }

    /// Each time it has 64 KiB more, the server says so (status 104). While it does not read, megabytes wait in its kernel,
    /// which has acknowledged them: only the server's own count leaves them out.
    @Test func `counts what the server has where the server says it`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(4 << 20, to: "x")
            let result = try await run(
                "put", "x",
                server.uploadURL("x", "progress=64K", "rate=4M", "window=1M", "stallfirst=2M", "stallfor=1"))
            expectEqual(result.code, 0, "\(result.output)")
            let upload = try server.uploads(to: "x", method: "PUT").first.unwrapped("an upload")
            // On a busy machine bytes have gone before the server's first word arrives: until then the kernel's count stands.
            let moved = try result.events().filter { $0["event"] as? String == "moved" }
                .drop { ($0["sent"] as? Int ?? 1) % (64 << 10) != 0 }
            expectMore(moved.count, than: 5)
            for event in moved {
                guard let sent = event["sent"] as? Int, let time = event["time"] as? Double else { continue }
                // Times are rounded to milliseconds.
                let read = upload.bytesRead(at: Int64((time + 0.05) * 1e9))
                expectAtMost(Int64(sent), read, "at \(time)")
            }
        }
    }

    @Test func `is not sent again by the same command unless the file has changed`() async throws {
        try await FaultServer.serving { server in
            try folder.write("one", to: "x")
            try await expectEqual(run("put", "x", server.uploadURL("x")).code, 0)
            try await expectEqual(run("put", "x", server.uploadURL("x")).code, 0)
            expectEqual(server.uploads(to: "x", method: "PUT").count, 1)
            try folder.write("other", to: "x")
            try await expectEqual(run("put", "x", server.uploadURL("x")).code, 0)
            expectEqual(server.uploaded("x").map { String(decoding: $0, as: UTF8.self) }, "other")
        }
    }
}
