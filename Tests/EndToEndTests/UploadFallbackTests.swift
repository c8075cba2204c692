import Foundation
import Glibc
import TestSupport
import Testing

/// What an upload does, and says, at a file server that lacks something or is lost.
@Suite(.serialized) struct `A fallback of an upload` {
    private let folder: TestFolder
    private static let size = 6 << 20

    init() throws {
        folder = try TestFolder()
        try folder.writeRandom(Self.size, to: "x")
    }

    /// - Parameter change: to what the server has when its connections have ended.
    private func interrupted(_ server: FileReceiver, _ change: () throws -> Void = {}) async throws -> Program.Result {
        let program = try server.start(["put", "x", server.folderURL, "--limit-rate", "4M"], in: folder)
        try await server.wait(toHave: 2 << 20)
        try await program.whileStopped {
            let name = try server.temporary().unwrapped("a temporary file")
            server.killSessions()
            try await server.root.waitUntilWritten(name)
            try change()
        }
        return try await program.wait()
    }

    @Test(arguments: [("APPE", "appendRefused"), ("SIZE", "remoteSizeUnknown")])
    func `is told with its reason`(denied: String, cause: String) async throws {
        let server = try await FileReceiver(.ftp, denied: [denied])
        let result = try await interrupted(server)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.root.bytes("x"), folder.bytes("x"))
        let events = try result.events()
        let causes = events.filter { $0["event"] as? String == "rebase" }.compactMap { $0["cause"] as? String }
        // The server has less than was sent; then it is sent again.
        expectEqual(causes.last, cause, "\(result.output)")
        let warning = events.last { $0["event"] as? String == "finished" }?["warning"] as? String
        expectEqual((warning?.contains("tells no size") ?? false), (denied == "SIZE"), "\(result.output)")
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `is told when the bytes at the server are others`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        let result = try await interrupted(server) {
            let name = try server.temporary().unwrapped("a temporary file")
            try server.root.writeRandom(try server.root.size(name), to: name)
        }
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.root.bytes("x"), folder.bytes("x"))
        expect(result.output.contains("\"cause\":\"remoteBytesDiffer\""), "\(result.output)")
    }

    /// In the same attempt, and when the next connection is lost as well.
    @Test(arguments: [(1, true, false), (2, false, true)])
    func `goes on after a connection that was lost at the renaming`(
        times: Int, isDone: Bool, isReplacing: Bool
    ) async throws {
        // Where the connection is lost does not depend on the size.
        let size = 100_000
        try folder.writeRandom(size, to: "x")
        let counts = try TestFolder()
        let server = try await FileReceiver(
            .sftp, subsystem: CutSFTP.script(times: times, isDone: isDone, in: counts))
        if isReplacing { try server.root.write("old", to: "x") }
        let result = try await server.run("put", "x", server.folderURL, in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names(), ["x"], "\(result.output)")
        try expectEqual(server.root.bytes("x"), folder.bytes("x"))
        try expectEqual(result.sentBytes(), size, "\(result.output)")
        try expectAtLeast(counts.text("renamings").count, times)
    }

    /// Nothing can go on with it: what was read from the stream is gone.
    @Test(arguments: FileReceiver.Kind.plain)
    func `leaves nothing of a stream that fails`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        expectEqual(mkfifo(folder.path("pipe"), 0o600), 0)
        let pipe = try FileHandle(forUpdating: folder.url.appending(path: "pipe"))
        let program = try server.start(["put", "pipe", server.url("y"), "--limit-rate", "4M"], in: folder)
        // More than is sent before the connections end.
        let writer = Thread {
            for _ in 0..<400 where (try? pipe.write(contentsOf: Data(count: 1 << 20))) == nil { return }
        }
        writer.start()
        try await server.wait(toHave: 3 << 20)
        server.killSessions()
        let result = try await program.wait()
        expect(result.code != 0 && result.output.contains("can be read only once"), "\(result.output)")
        try await eventually("no temporary file") { try server.temporary() == nil }
        try expectEqual(server.names(), [])
    }
}
