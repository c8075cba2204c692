import FaultServer
import Foundation
import TestSupport
import Testing

/// Walks two of the doors by which entries come to the program.
@Suite(.serialized) struct `A list` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @discardableResult private func winch(_ arguments: String...) async throws -> Program.Result {
        try await Program(arguments + ["--state-dir", folder.path("state")], in: folder).wait()
    }

    /// Types the name of the list after `a` in the dashboard of a run.
    private func type(in command: String) async throws {
        let terminal = try await Tmux(folder)
        try await terminal.winch("\(command) --state-dir \(folder.path("state"))")
        try await terminal.wait(for: "1 of 1 done")
        try await terminal.press("a")
        try await terminal.type("@list")
        try await terminal.press("Enter")
        // Its terminal is closed, and a dashboard with work would ask first.
        try await terminal.wait(for: "3 of 3 done")
        try await terminal.press("q")
    }

    /// `winch add`, and the key of the dashboard.
    @Test(arguments: ["add", "key"])
    func `is the same by each door: nothing is fetched again that an earlier run has fetched`(door: String)
        async throws
    {
        try await FaultServer.serving { server in
            let (done, fresh) = (server.url("done.bin", "size=3000"), server.url("fresh.bin", "size=2000"))
            try await expectEqual(winch(done).code, 0)
            server.forget()
            let again = fresh.replacing("http://", with: "HTTP://")
            try folder.write("\(done)\n\(fresh)\n\(again)\nnonsense\n", to: "list")
            if door == "key" {
                try await type(in: server.url("other.bin", "size=9"))
            } else {
                let added = try await winch("add", "-i", "list")
                expect(added.code == 1 && added.output.contains("2 added"), "\(added.output)")
                expect(added.errors.contains("not a URL"), "\(added.errors)")
                try await eventually("the session's list") {
                    try await winch("status").output.contains("2 of 2 done")
                }
                try await winch("stop")
            }
            expect(server.requests(for: "done.bin").isEmpty)
            expectEqual(server.downloads(of: "fresh.bin"), 1)
            let names = try folder.names().filter { $0.hasSuffix(".bin") && $0 != "other.bin" }
            expectEqual(names, ["done.bin", "fresh.bin"])
        }
    }
}
