import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// Sources that cannot be sent, or change while they are, and servers that do not take part.
@Suite(.serialized) struct `An upload in trouble` {
    private let folder: TestFolder
    private static let size = 6_000_000

    init() throws { folder = try TestFolder() }

    private func run(_ arguments: String...) async throws -> Program.Result {
        let options = ["--output", "json", "--retry-wait", "0.1", "--max-tries", "1"]
        return try await Program(arguments + options, in: folder).wait()
    }

    /// An open file is whole although its name is gone; any other change would make a mixture of it.
    @Test(arguments: ["shrinks", "is replaced", "vanishes"])
    func `ends as it must when the source`(change: String) async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(Self.size, to: "x")
            let bytes = try folder.bytes("x")
            let program = try Program(
                ["put", "x", server.uploadURL("x"), "--limit-rate", "1500K", "--output", "json"], in: folder)
            try await eventually("the first bytes") { (server.uploads(to: "x").last?.bytesRead ?? 0) > 0 }
            try await program.whileStopped {
                try require(server.uploads(to: "x").last?.isComplete == false, "it is changed while it is sent")
                switch change {
                case "shrinks": expectEqual(truncate(folder.path("x"), 1_000_000), 0)
                case "is replaced":
                    try folder.writeRandom(Self.size, to: "other")
                    expectEqual(rename(folder.path("other"), folder.path("x")), 0)
                default: expectEqual(unlink(folder.path("x")), 0)
                }
            }
            let result = try await program.wait()
            if change == "vanishes" {
                expectEqual(result.code, 0, "\(result.output)")
                expectEqual(server.uploaded("x").map { Data($0) }, bytes)
            } else {
                expectEqual(result.code, 1, "\(result.output)")
                try expect(result.reason().contains("has changed while it was sent"), "\(result.output)")
                expectNil(server.uploaded("x"))
            }
        }
    }

    /// Answers that are not HTTP, or contradict themselves, are no success, however much they look like one.
    @Test func `does not believe an answer that violates HTTP`() async throws {
        let length = "HTTP/1.1 200 OK\r\nContent-Length: "
        let answers = [
            "stored\n", "SSH-2.0-OpenSSH_9.2\r\n", "\r\n\(length)0\r\n\r\n", "HTTP/9.9 201 Created\r\n\r\n",
            "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
            "HTTP/1.1 -201 OK\r\n\r\n", "\(length)-5\r\n\r\n", "\(length)5x\r\n\r\nhello",
            "\(length)5\r\nContent-Length: 6\r\n\r\nhello", "\(length)+5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello", "\(length)5\r\n\r\nhel",
            "HTTP/1.1 201 Created\r\nX: a\0b\r\n\r\n", "HTTP/1.1 201 Created\r\nnonsense\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Offset: 999999999999\r\n\r\n",
            "HTTP/1.1 104 Upload Resumption Supported\r\nUpload-Offset: -1\r\n\r\nHTTP/1.1 20",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "",
        ]
        try await FaultServer.serving { server in
            try folder.write("hello", to: "x")
            let entries = answers.map { "\(server.rawURL($0, "wait=0"))\n  upload=x\n" }
            try folder.write(entries.joined(), to: "batch")
            let result = try await run("-i", "batch")
            let events = try result.events()
            expectEqual(events.count { $0["event"] as? String == "failed" }, answers.count, "\(result.output)")
            expect(!events.contains { $0["event"] as? String == "finished" }, "\(result.output)")
            expect(result.code != 0)
        }
    }

    @Test func `has a source that is none`() async throws {
        try await FaultServer.serving { server in
            let sources = [
                ("/dev/null", "is neither a file nor a FIFO"), ("/dev/zero", "is neither a file nor a FIFO"),
                ("/", "is a folder"), ("nothing", "does not exist"), ("/dev/null/x", "a file where a folder is needed"),
            ]
            let entries = sources.enumerated().flatMap { number, source in
                [
                    "\(server.uploadURL("file\(number)"))\n  upload=\(source.0)\n",
                    "\(server.uploadURL("form\(number)"))\n  form=a=@\(source.0)\n",
                ]
            }
            try folder.write(entries.joined(), to: "batch")
            let result = try await run("-i", "batch")
            expectEqual(result.code, 17, "\(result.output)\(result.errors)")
            let failures = try result.events().filter { $0["event"] as? String == "failed" }
            expectEqual(failures.count, entries.count, "\(result.output)\(result.errors)")
            for (_, words) in sources {
                let found = failures.count { ($0["reason"] as? String)?.contains(words) == true }
                expectAtLeast(found, 2, "\(words): \(result.output)")
            }
            expect(server.uploads.isEmpty)
        }
    }

    @Test(.enabled(if: getuid() != 0, "root may read every file"))
    func `has a source that may not be read`() async throws {
        try await FaultServer.serving { server in
            try folder.write("x", to: "x")
            chmod(folder.path("x"), 0)
            let result = try await run("put", "x", server.uploadURL("x"))
            try expect(result.code == 17 && result.reason().contains("Permission denied"), "\(result.output)")
        }
    }

    /// The body is all on its way, or the server reads no more of it.
    @Test(arguments: ["answerat=never", "stall=64K"])
    func `does not wait for ever`(option: String) async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(Self.size, to: "x")
            let result = try await run("put", "x", server.uploadURL("x", option), "--timeout", "1")
            expectEqual(result.code, 2, "\(result.output)")
            for event in try result.events() where event["id"] != nil {
                expect(event["percent"] as? Int != 100, "\(result.output)")
            }
        }
    }

    /// An error's body as well as that of a success: 200 GB would not end within the minute that a run has.
    @Test(arguments: [("reply=200G", 0), ("errbody=1G", 22)])
    func `reads no endless answer`(option: String, code: Int32) async throws {
        try await FaultServer.serving { server in
            try folder.write("x", to: "x")
            let options = code == 0 ? [option] : [option, "status=400"]
            let url = server.origin + "/up/x?" + options.joined(separator: "&")
            let result = try await run("put", "x", url)
            expectEqual(result.code, code, "\(result.output)")
        }
    }

    @Test func `changes nothing here`() async throws {
        try await FaultServer.serving { server in
            try folder.writeRandom(300_000, to: "x")
            func state() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { !$0.hasPrefix(".") }
                    .sorted().map { name in
                        var status = stat()
                        lstat(folder.path(name), &status)
                        return "\(name) \(status.st_size) \(status.st_mtim.tv_nsec) \(status.st_ino) \(status.st_mode)"
                    }
            }
            let answers = ["", "?status=500", "?drop=100K", "?status=400&errbody=100K", "?answerat=1K&then=cut"]
            let entries = answers.enumerated().flatMap { number, answer in
                [
                    "\(server.origin)/up/x\(number)\(answer)\n  upload=x\n",
                    "\(server.origin)/tus\(answer)\n  upload=x\n  resumable=tus\n",
                ]
            }
            try folder.write(entries.joined() + "\(server.uploadURL("form"))\n  form=f=@x\n", to: "batch")
            let (before, bytes) = (try state(), try folder.bytes("x"))
            let result = try await run("-i", "batch")
            let ends = try result.events().count { ["failed", "finished"].contains($0["event"] as? String) }
            expectEqual(ends, entries.count + 1, "\(result.output)\(result.errors)")
            try expectEqual(state(), before)
            try expectEqual(folder.bytes("x"), bytes)
        }
    }
}
