import Foundation
import Glibc
import TestSupport
import Testing

/// Uploads by FTP and SFTP that are interrupted.
@Suite(.serialized) struct `An interrupted upload to a file server` {
    private let folder: TestFolder
    private static let size = 8 << 20

    init() throws {
        folder = try TestFolder()
        try folder.writeRandom(Self.size, to: "x")
    }

    /// - Returns: bytes that the server has.
    private func killed(_ server: FileReceiver) async throws -> Int {
        let program = try server.start(["put", "x", server.folderURL, "--limit-rate", "4M"], in: folder)
        try await server.wait(toHave: 3 << 20)
        program.signal(SIGKILL)
        _ = try await program.wait()
        // What is in the sockets still arrives.
        let name = try server.temporary().unwrapped("a temporary file")
        try await server.root.waitUntilWritten(name)
        return try server.root.size(name)
    }

    /// A script that adds up the events needs none that say nothing.
    private func expectNews(_ result: Program.Result) throws {
        var size: Int?
        for event in try result.events() where event["id"] as? Int == 1 {
            let kind = event["event"] as? String
            if kind == "moved" { expect(event["delta"] as? Int ?? 0 != 0, "\(result.output)") }
            // What the server has beyond what was known counts as well.
            if kind == "sized", event["delta"] as? Int == 0 {
                expect(event["size"] as? Int != size, "\(result.output)")
            }
            size = event["size"] as? Int
        }
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `goes on from what the server has after kill -9`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        let kept = try await killed(server)
        let result = try await server.run("put", "x", server.folderURL, in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names(), ["x"])
        try expectEqual(server.root.bytes("x"), folder.bytes("x"))
        try expectNews(result)
        try expectAtMost(result.sentBytes(), Self.size - kept, "\(kept): \(result.output)")
        if let ftp = server.ftp {
            let commands = try ftp.commands()
            expectAtLeast(commands.count { $0.hasPrefix("SIZE ") }, 3)
            expect(commands.contains("REST \(kept - 65536)"), "the overlap is compared")
            expect(commands.contains { $0.hasPrefix("APPE ") })
        }
    }

    /// The program does not wait for the time in which a cancel can be undone, and does not end before the file is gone.
    @Test(arguments: FileReceiver.Kind.plain)
    func `can be paused, and leaves nothing when the program is quit right after the cancel`(
        kind: FileReceiver.Kind
    ) async throws {
        let server = try await FileReceiver(kind)
        let tmux = try await Tmux(folder, environment: server.environment)
        try await tmux.winch("put x \(server.folderURL) --limit-rate 2M; echo ended-$((40+2))")
        try await server.wait(toHave: 1 << 20)
        try await tmux.press("p")
        try await tmux.wait(for: "paused")
        let kept = try server.root.size(try server.temporary().unwrapped("a temporary file"))
        try await tmux.press("p")
        try await server.wait(toHave: kept + 1 << 19)
        try await tmux.press("c")
        try await tmux.wait(for: "y")
        try await tmux.press("y")
        try await tmux.wait(for: "cancelled")
        try await tmux.press("q")
        try await tmux.wait(for: "ended-42", seconds: 60)
        try expectEqual(server.names(), [])
    }
}
