import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

/// Details, log, settings, command line, themes and the output for screen readers, in a real terminal.
@Suite(.serialized) struct `The panels` {
    private func open(
        _ urls: [String], _ options: String = "", columns: Int = 120, rows: Int = 40,
        environment: [String: String] = [:], prepare: (TestFolder) throws -> Void = { _ in }
    ) async throws -> Tmux {
        let folder = try TestFolder()
        try folder.write(urls.joined(separator: "\n"), to: "urls.txt")
        try prepare(folder)
        let terminal = try await Tmux(folder, columns: columns, rows: rows, environment: environment)
        try await terminal.winch("-i urls.txt -d got --retry-wait 30 \(options); echo ended-$?")
        return terminal
    }

    private func slow(_ server: FaultServer, _ names: String...) -> [String] {
        names.map { server.url($0, "size=400M", "rate=1M") }
    }

    @Test func `show the log by level on l, and --log writes it, without a dashboard too`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                [server.url("a.bin", "size=1K"), server.url("gone.bin", "status=404")],
                "--log run.log --log-level debug")
            try await terminal.wait(for: "1 of 2 done · 1 failed")
            try await terminal.press("l")
            try await terminal.wait(for: "both") {
                $0.contains { $0.contains("INFO") && $0.contains("finished, 1.0 KiB") }
                    && $0.contains { $0.contains("ERROR") && $0.contains("404 not found") }
            }
            try await terminal.press("l")
            try await terminal.wait(without: "following")
            try await terminal.press("q")
            try await terminal.wait(for: "ended-3")
            let log = try terminal.folder.text("run.log")
            expect(log.contains("INFO [1] finished, 1.0 KiB name=a.bin path=a.bin have=1024 size=1024"))
            expect(log.contains("ERROR [2] failed: 404 not found"))
            let quiet = try await Program.run(
                server.url("b.bin", "size=9"), "-d", "got", "--output", "quiet", "--log", "quiet.log",
                in: terminal.folder)
            expectEqual(quiet.code, 0)
            try expect(terminal.folder.text("quiet.log").contains("] finished"))
        }
    }

    @Test func `add a batch file or several pasted lines on a`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open([server.url("a.bin", "size=1K")]) { folder in
                try folder.write(
                    "\(server.url("b.bin", "size=1K"))\n\(server.url("c.bin", "size=1K"))\n", to: "more.txt")
            }
            try await terminal.wait(for: "1 of 1 done")
            try await terminal.press("a")
            try await terminal.type("@more.txt")
            try await terminal.press("Enter")
            try await terminal.wait(for: "3 of 3 done")
            try await terminal.tmux([
                "set-buffer", "\(server.url("d.bin", "size=9"))\n\(server.url("e.bin", "size=9"))\n",
            ])
            try await terminal.tmux(["paste-buffer", "-p"])
            try await terminal.wait(for: "Add URL:")
            try await terminal.press("Enter")
            try await terminal.wait(for: "5 of 5 done")
        }
    }

    @Test func `show the settings with their origins on S and change them`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                slow(server, "a.bin"), "--jobs 2", environment: ["WINCH_THEME": "light"])
            try await terminal.wait(for: "2 files at a time")
            try await terminal.press("S")
            try await terminal.wait(for: "origins") {
                $0.contains { $0.contains("jobs") && $0.contains("< 2 >") && $0.contains("command line") }
                    && $0.contains { $0.contains("theme") && $0.contains("light") && $0.contains("environment") }
                    && $0.contains { $0.contains("progress") && $0.contains("default") }
            }
            try await terminal.press("Right")
            try await terminal.wait(for: "the change") {
                $0.contains { $0.contains("jobs") && $0.contains("< 3 >") && $0.contains("changed now") }
            }
            try await terminal.press("Escape")
            try await terminal.wait(for: "3 files at a time")
        }
    }

    @Test func `are read out while the run still waits for its ledger`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.makeFolder("state")
            let lock = Glibc.open(folder.path("state/ledger.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(lock) }
            var opening = flock()
            (opening.l_type, opening.l_len) = (Int16(F_WRLCK), 1)
            // F_OFD_SETLK: while another process opens the ledger, a run waits ten seconds and goes on without it.
            expectEqual(fcntl(lock, 37, &opening), 0)
            let terminal = try await Tmux(folder)
            try await terminal.winch("'\(slow(server, "a.bin")[0])' -d got --state-dir state --screen-reader")
            let screen = try await terminal.wait(for: "Winch has 1 file.")
            expect(!screen.contains { $0.contains("will not be saved") }, "\(screen)")
        }
    }

    @Test func `are read out line by line with --screen-reader, with the same keys`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await open(
                slow(server, "a.bin") + [server.url("b.bin", "size=1K")], "--screen-reader | tee spoken", columns: 100)
            // The output is not a terminal, so it is the plain one.
            try await terminal.wait(for: "finished  b.bin")
            try await terminal.press("C-c")
            let spoken = try await open(
                slow(server, "a.bin") + [server.url("b.bin", "size=1K")], "--screen-reader", columns: 100)
            try await spoken.wait(for: "Winch has 2 files.")
            try await spoken.wait(for: "b.bin is done, 1.0 KiB.")
            try await spoken.press("j")
            try await spoken.wait(for: "2 of 2, b.bin, done.")
            try await spoken.press("k", "p")
            try await spoken.wait(for: "1 of 2, a.bin, paused")
            try await spoken.press("?")
            try await spoken.wait(for: "q: quit, keep partial files.")
            try await spoken.press("Escape", "c")
            try await spoken.wait(for: "Press y for yes")
            try await spoken.press("y")
            try await spoken.wait(for: "a.bin is cancelled.")
            try await spoken.press("q")
            try await spoken.wait(for: "ended-")
            try await expect(spoken.settings().contains(" echo "))
        }
    }
}
