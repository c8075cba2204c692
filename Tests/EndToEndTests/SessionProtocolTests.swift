import FaultServer
import Foundation
import TestSupport
import Testing

/// A client that is written by the man page of the protocol.
@Suite(.serialized) struct `A client in another language`: SessionSuite {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func client(_ arguments: String...) async throws -> (code: Int32?, output: String) {
        let script = TusServer.project.appending(path: "Tests/Scripts/session-client.py").path
        return try await InstalledTool.outcome(
            "/usr/bin/env", ["python3", script, folder.path("state/session.socket")] + arguments, in: folder.url.path)
    }

    @Test func `adds, watches, pauses and ends`() async throws {
        try await FaultServer.serving { server in
            let started = try await winch("serve")
            expectEqual(started.code, 0, "\(started.errors)")
            let added = try await client(
                "add", server.url("moving", "size=400000", "rate=200000"), server.url("gone", "status=404"))
            expect(added.code == 0 && added.output.contains("2 added"), "\(added.output)")
            let watched = try await client("watch")
            expect(watched.code == 0 && watched.output.contains("1 finished 100 400000 'moving'"), "\(watched.output)")
            expect(watched.output.contains("2 failed") && watched.output.contains("404"), "\(watched.output)")
            // It has seen it move.
            let steps = Set(watched.output.split(separator: "\n").filter { $0.hasPrefix("1 moving") })
            expectMore(steps.count, than: 5, "\(watched.output)")
            try folder.expectSeeded("moving", size: 400_000)

            try await expectEqual(client("add", server.url("slow", "size=900000", "rate=1000")).code, 0)
            let paused = try await client("pause", "3")
            expect(paused.code == 0 && paused.output.contains("1 transfer"), "\(paused.output)")
            let list = try await client("list").output
            expect(list.contains("3 paused") && list.contains("1 of 3 done, "), "\(list)")
            let refused = try await client("cancel", "9")
            expect(refused.code == 1 && refused.output.contains("there is no transfer 9"), "\(refused.output)")
            let unknown = try await client("dance")
            expect(unknown.code == 1 && unknown.output.contains("unknown request \"dance\""), "\(unknown.output)")
            try await expectEqual(client("stop").code, 0)
            // The session has taken the request, and ends when its parts are closed.
            try await eventually("the session's end") { try await winch("status").code == 69 }
        }
    }
}
