import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// Uploads by tus, which go on after interruptions.
@Suite(.serialized) struct `An upload by tus` {
    private let folder: TestFolder
    private static let size = 6 << 20

    init() throws {
        folder = try TestFolder()
        try folder.writeRandom(Self.size, to: "x")
    }

    private func run(_ url: String, _ arguments: String...) async throws -> Program.Result {
        let options = ["--resumable", "tus", "--output", "json", "--retry-wait", "0.1"]
        return try await Program(["put", "x", url] + options + arguments, in: folder).wait()
    }

    private func isWhole(_ server: FaultServer) throws -> Bool {
        let complete = server.tusUploads.filter(\.isComplete)
        return try complete.count == 1 && Data(complete[0].bytes) == folder.bytes("x")
    }

    @Test(arguments: [["location=relative"], ["dropfirst=2M", "keepwhole"]])
    func `arrives whole`(options: [String]) async throws {
        try await FaultServer.serving { server in
            let result = try await run(server.origin + "/tus?" + options.joined(separator: "&"))
            expectEqual(result.code, 0, "\(options): \(result.output)")
            try expect(isWhole(server), "\(options)")
            expectEqual(server.tusUploads.count, 1)
        }
    }

    @Test func `goes on from what the server has after kill -9, at the address that the ledger has kept`() async throws
    {
        try await FaultServer.serving { server in
            let url = server.tusURL()
            let program = try Program(
                ["put", "x", url, "--resumable", "tus", "--limit-rate", "2M", "--output", "json"], in: folder)
            try await eventually("2 MiB at the server") { (server.tusUploads.first?.bytes.count ?? 0) >= 2 << 20 }
            program.signal(SIGKILL)
            _ = try await program.wait()
            // What is in the sockets still arrives.
            try await eventually("the end of each request") { server.uploads.allSatisfy { $0.status != nil } }
            let kept = server.tusUploads.first?.bytes.count ?? 0
            expect(kept >= 2 << 20 && kept < Self.size)
            let result = try await run(url)
            expectEqual(result.code, 0, "\(result.output)")
            try expect(isWhole(server))
            expectEqual(server.tusUploads.count, 1)
            let patches = server.uploads.filter { $0.method == "PATCH" }.map(\.bytesRead).reduce(0, +)
            expectAtMost(patches, Int64(Self.size) + 2 << 20, "\(patches)")
        }
    }

    /// libcurl repeats what a kept connection has not answered.
    @Test func `asks for the offset before a part is sent again`() async throws {
        try await FaultServer.serving { server in
            // So few bytes are sent without waiting for the server's 100.
            try folder.writeRandom(200, to: "x")
            let result = try await run(server.tusURL("status=close,204"), "--max-tries", "1")
            expectEqual(result.code, 0, "\(result.output)")
            expectEqual(server.uploads.map(\.method), ["POST", "PATCH", "HEAD", "PATCH"])
        }
    }

    /// Of several requests only the first finds out which login is wanted.
    @Test func `logs in once`() async throws {
        try await FaultServer.serving { server in
            let result = try await run(
                server.tusURL("user=a", "pass=b", "digest"), "--user", "a", "--password", "b")
            expectEqual(result.code, 0, "\(result.output)")
            try expect(isWhole(server))
            let parts = server.uploads.filter { $0.method == "PATCH" && $0.bytesRead > 0 }
            expectEqual(parts.map(\.status), [204])
        }
    }

    @Test(.enabled(if: TusServer.isInstalled, "tuspyserver could not be installed by setup.sh test"))
    func `reaches a server of others`() async throws {
        let server = try await TusServer()
        let result = try await run(server.url)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.uploads().map { try server.root.bytes($0) }, [folder.bytes("x")])
    }
}
