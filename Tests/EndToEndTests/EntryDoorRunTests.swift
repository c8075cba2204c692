import FaultServer
import Foundation
import Testing

/// How a list comes to the program.
enum RunDoor: CaseIterable, Sendable {
    case run, serve, add, client, key, attachedKey
}

/// Walks the doors by which entries come to the program.
@Suite(.serialized) struct `A list` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @discardableResult private func winch(_ arguments: String...) async throws -> Program.Result {
        try await Program(arguments + ["--state-dir", folder.path("state")], in: folder).wait()
    }

    /// Types the name of the list after `a` in the dashboard of a command.
    private func type(in command: String) async throws {
        let terminal = try await Tmux(folder)
        try await terminal.winch("\(command) --state-dir \(folder.path("state"))")
        try await terminal.wait(for: "1 of 1 done")
        try await terminal.press("a")
        try await terminal.type("@list")
        try await terminal.press("Enter")
        try await eventually("the new file") { folder.exists("fresh.bin") }
        // Its terminal is closed, and a dashboard with work would ask first.
        try await terminal.wait(for: "3 of 3 done")
        try await terminal.press("q")
    }

    @Test(arguments: RunDoor.allCases)
    func `is the same by each door: nothing is fetched again that an earlier run has fetched`(door: RunDoor)
        async throws
    {
        try await FaultServer.serving { server in
            let (done, fresh) = (server.url("done.bin", "size=3000"), server.url("fresh.bin", "size=2000"))
            let other = server.url("other.bin", "size=9")
            #expect(try await winch(done).code == 0)
            server.forget()
            let again = fresh.replacing("http://", with: "HTTP://")
            let list = "\(done)\n\(fresh)\n\(again)\nnonsense\n"
            try folder.write(list, to: "list")
            var problems = ""
            switch door {
            case .run: problems = try await winch("-i", "list").errors
            case .serve:
                #expect(try await winch("serve", "-i", "list").code == 0)
            case .add:
                let added = try await winch("add", "-i", "list")
                #expect(added.code == 1 && added.output.contains("2 added"), "\(added.output)")
                problems = added.errors
            case .client:
                #expect(try await winch("serve").code == 0)
                let client = try RawSessionClient(folder.path("state/session.socket"))
                client.introduce()
                let request = ["n": 1, "do": "add", "batch": list, "folder": folder.url.path] as [String: Any]
                client.send(Array(try JSONSerialization.data(withJSONObject: request)) + Array("\n".utf8))
                problems = client.read(until: "not a URL")
                #expect(problems.contains("2 added"), "\(problems)")
            case .key: try await type(in: other)
            case .attachedKey:
                #expect(try await winch("serve", other).code == 0)
                try await type(in: "attach")
            }
            #expect(problems.isEmpty || problems.contains("not a URL"), "\(problems)")
            try await eventually("the new file") {
                folder.exists("fresh.bin") && !folder.exists("fresh.bin.part")
            }
            if door != .run, door != .key {
                try await eventually("the session's list") {
                    let status = try await winch("status").output
                    return status.contains(door == .attachedKey ? "3 of 3 done" : "2 of 2 done")
                }
                try await winch("stop")
            }
            #expect(server.requests(for: "done.bin").isEmpty)
            #expect(server.requests(for: "fresh.bin").count == 1)
            let names = try folder.names().filter { $0.hasSuffix(".bin") }
            #expect(names.filter { $0 != "other.bin" } == ["done.bin", "fresh.bin"])
        }
    }
}
