import FaultServer
import Foundation
import TestSupport
import Testing

/// What runs and sessions leave to each other.
@Suite(.serialized) struct `A run beside a session`: SessionSuite {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func stop() async throws {
        let result = try await winch("stop")
        expectEqual(result.code, 0, "\(result.errors)")
    }

    @Test func `says so, stops when it is interrupted, and is resumed by winch alone`() async throws {
        try await FaultServer.serving { server in
            _ = try await winch("serve", server.url("first", "size=10"))
            try folder.write("\(server.url("slow", "size=3000000", "ratefirst=300000"))\n", to: "list")
            let run = try program(["-i", "list", "--output", "plain", "-d", "got"])
            try await folder.wait(for: "got/slow.part", toHave: 300_000)
            run.signal(SIGINT)
            let result = try await run.wait()
            expect(result.errors.hasPrefix("winch: a session is running"), "\(result.errors)")
            try await expect(winch("status").output.contains("1 of 1 done"))
            let terminal = try await Tmux(folder)
            try await terminal.winch("--state-dir state")
            try await status(has: "2 of 2 done")
            try folder.expectSeeded("got/slow", size: 3_000_000)
            let fetched = server.requests.filter { $0.path == "/f/slow" }.map(\.bodyBytes).reduce(0, +)
            expectLess(fetched, than: 3_600_000, "it goes on from the last byte")
            try await stop()
        }
    }

    @Test func `does not change the limits of the session, which are kept over restarts`() async throws {
        _ = try await winch("serve")
        _ = try await winch("limit", "2M", "--upload", "1M")
        try await stop()
        _ = try await winch("serve")
        let queue = try await report()["queue"] as? [String: Any]
        expectEqual(queue?["rateLimit"] as? Double, 2_097_152)
        expectEqual(queue?["uploadLimit"] as? Double, 1_048_576)
        try await stop()
    }
}

/// The dashboard of a session in a terminal.
@Suite(.serialized) struct `A dashboard and a session` {
    @Test func `hand over the run, which goes on from its last byte`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await Tmux(folder, columns: 100, rows: 24)
            let url = server.url("a.bin", "size=4000000", "ratefirst=400000", "rate=1500000")
            try await terminal.winch("'\(url)' -d got --limit-rate 3M")
            try await folder.wait(for: "got/a.bin.part", toHave: 600_000)
            try await terminal.type("&")
            try await terminal.wait(for: "go on in the background (process")
            // Without arguments it shows the session.
            try await terminal.winch("; echo left-$?")
            try await terminal.wait(for: "1 of 1")
            try await terminal.type("q")
            try await terminal.wait(for: "left-0")
            try await terminal.winch("status --json > status.json; echo li''sted")
            try await terminal.wait(for: "listed")
            let status = try JSONSerialization.jsonObject(with: Data(folder.text("status.json").utf8))
            let queue = (status as? [String: Any])?["queue"] as? [String: Any]
            expectEqual(queue?["rateLimit"] as? Double, 3_145_728, "the options of the run are kept")
            try await terminal.winch("stop; echo st''opped")
            try await terminal.wait(for: "stopped")
            try folder.expectSeeded("got/a.bin", size: 4_000_000)
            let fetched = server.requests.map(\.bodyBytes).reduce(0, +)
            expectLess(fetched, than: 4_600_000)
        }
    }

    @Test func `name before the run is handed over what a session that runs does not take over`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await Tmux(folder, columns: 100, rows: 24)
            try await terminal.winch("serve")
            try await terminal.wait(for: "session started")
            let url = server.url("a.bin", "size=40M", "rate=1500000")
            try await terminal.winch("'\(url)' -d got --limit-rate 3M -j 1")
            try await folder.wait(for: "got/a.bin.part", toHave: 100_000)
            try await terminal.type("&")
            try await terminal.wait(for: "and --limit-rate 3M.")
            try await terminal.type("n")
            try await terminal.wait(without: "and --limit-rate 3M.")
            try await terminal.type("&")
            try await terminal.wait(for: "and --limit-rate 3M.")
            try await terminal.type("y")
            try await terminal.wait(for: "the session goes on with 1 unfinished transfer")
            try await terminal.wait(for: "the session does not take over -j 1 and --limit-rate 3M of the run")
            try await terminal.winch("stop; echo st''opped")
            try await terminal.wait(for: "stopped")
        }
    }

    @Test func `show that a command of the session has failed`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let terminal = try await Tmux(folder, columns: 100, rows: 24)
            try await terminal.winch(
                "serve '\(server.url("a.bin", "size=10"))' "
                    + "--on-done 'sh -c \"until test -e \(folder.path("go")); do sleep 0.1; done; exit 9\"'")
            try await terminal.wait(for: "session started")
            try await terminal.run("clear")
            try await terminal.wait(without: "a.bin")
            try await terminal.winch("attach")
            try await terminal.wait(for: "a.bin")
            try folder.write("", to: "go")
            try await terminal.wait(for: "exit code 9")
            try await terminal.type("q")
            try await terminal.wait(for: "goes on in the background")
            try await terminal.winch("stop; echo st''opped")
            try await terminal.wait(for: "stopped")
        }
    }
}
