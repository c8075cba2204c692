import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `A run without arguments` {
    /// Ends a run by a signal when one file is done, one is moving, and one is waiting.
    private func interrupted(
        _ server: FaultServer, in folder: TestFolder, by signal: Int32
    ) async throws -> Program.Result {
        try folder.write(
            """
            \(server.url("done.bin", "size=5000"))
            \(server.url("moving.bin", "size=2M", "ratefirst=1M"))
            \(server.url("waiting.bin", "size=6000"))
             dir=other
            """, to: "urls.txt")
        let program = try Program(
            ["-i", "urls.txt", "-d", "got", "-j", "1", "--progress", "simple", "--state-dir", "state"], in: folder)
        try await folder.wait(for: "got/moving.bin.part", toHave: 400_000)
        program.signal(signal)
        return try await program.wait()
    }

    @Test(arguments: [SIGKILL, SIGHUP])
    func `resumes the last run, whatever the working directory`(signal: Int32) async throws {
        try await FaultServer.serving { server in
            let (folder, elsewhere) = (try TestFolder(), try TestFolder())
            let first = try await interrupted(server, in: folder, by: signal)
            expect(first.code == (signal == SIGKILL ? -SIGKILL : 7))
            let kept = try folder.size("got/moving.bin.part")
            server.forget()
            let second = try await Program.run(
                "--state-dir", folder.path("state"), "--output", "plain", in: elsewhere)
            expectEqual(second.code, 0, "\(second.errors)\(second.output)")
            try expectEqual(folder.names("got"), ["done.bin", "moving.bin"])
            try folder.expectSeeded("got/moving.bin", size: 2 << 20)
            try folder.expectSeeded("other/waiting.bin", size: 6000)
            expect(server.requests(for: "done.bin").isEmpty)
            expectEqual(
                server.requests(for: "moving.bin").first?.range, "bytes=\(kept - 4096)-", "no more is fetched twice")
            try expectEqual(elsewhere.names(), [])
            // A further run finds nothing to resume.
            server.forget()
            let third = try await Program.run(
                "--state-dir", folder.path("state"), "--output", "plain", in: elsewhere)
            expectEqual(third.code, 0)
            expect(third.errors.contains("nothing to resume"))
            expect(server.requests.isEmpty)
        }
    }

    @Test func `tells of options of transfers on its command line, which what it resumes does not take`() async throws {
        let folder = try TestFolder()
        let result = try await Program.run("--output", "plain", "-d", "x", "-j", "2", in: folder)
        expectEqual(result.code, 0)
        let words = "--dir has no effect on what is resumed"
        expect(result.errors.contains(words), "\(result.errors)")
        try folder.write("dir=x\n", to: "conf")
        let others = try await Program.run(
            "--output", "plain", "-j", "2", "--config", "conf", in: folder, environment: ["WINCH_MAX_TRIES": "3"])
        expectEqual(others.code, 0)
        expect(!others.errors.contains(words), "\(others.errors)")
    }

    @Test func `verifies by the list of --sums what gets its name from the server only then`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let wrong = String(repeating: "0", count: 64)
            try folder.write(
                "\(SeededContent(name: "a.bin").sha256(size: 2 << 20))  a.bin\n\(wrong)  named\n", to: "SUMS")
            let urls = [
                server.url("a.bin", "size=2M", "ratefirst=1M"),
                server.url("get", "size=9", "disposition=attachment; filename=named"),
            ]
            let words = ["-d", "got", "-j", "1", "--sums", "SUMS", "--state-dir", "state"]
            let program = try Program(urls + words, in: folder)
            try await folder.wait(for: "got/a.bin.part", toHave: 400_000)
            program.signal(SIGKILL)
            _ = try await program.wait()
            let second = try await Program.run("--state-dir", "state", "--output", "plain", in: folder)
            expectEqual(second.code, 32, "\(second.errors)\(second.output)")
            expect(second.output.contains("checksum"), "\(second.output)")
            try expectEqual(folder.names("got").sorted(), ["a.bin", "named.part"])
        }
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func `tells that the list of an earlier run was not read to its end`(signal: Int32) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write((1...10_000).map { server.url("\($0)", "size=1") + "\n" }.joined(), to: "list")
            let words = ["-i", "list", "-d", "got", "--hold", "--output", "plain"]
            let program = try Program(words, in: folder)
            // The empty tables take 70 KB, and the first 500 entries 100 KB.
            try await folder.wait(for: ".state/winch/ledger.sqlite-wal", toHave: 250_000)
            program.signal(signal)
            let first = try await program.wait()
            expect(first.code == (signal == SIGKILL ? -SIGKILL : 7), "\(first.errors)")
            let cut = "the list was not read to its end; run the command again for the rest"
            expectEqual(first.errors.contains(cut), signal == SIGINT, "\(first.errors)")
            let second = try await Program.run("--output", "plain", in: folder)
            expectEqual(second.code, 7, "\(second.errors)")
            let told = "the list of an earlier run was not read to its end; run its command again: "
            expect(second.errors.contains(told + "winch \(words.joined(separator: " "))\n"), "\(second.errors)")
        }
    }

    @Test func `does not fetch again what a URL with another query went on with`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let words = ["-d", "got", "-s", "1", "--state-dir", "state"]
            let program = try Program([server.url("a.bin", "size=2M", "ratefirst=1M")] + words, in: folder)
            try await folder.wait(for: "got/a.bin.part", toHave: 400_000)
            program.signal(SIGKILL)
            _ = try await program.wait()
            server.forget()
            let second = try await Program([server.url("a.bin", "size=2M")] + words, in: folder).wait()
            expectEqual(second.code, 0, "\(second.errors)\(second.output)")
            expect(!second.errors.contains("earlier run"), "\(second.errors)")
            expect(server.requests(for: "a.bin").first?.range != nil)
            server.forget()
            let third = try await Program.run("--state-dir", "state", "--output", "plain", in: folder)
            expect(third.errors.contains("nothing to resume"), "\(third.errors)")
            expect(server.requests.isEmpty)
        }
    }

    @Test func `shows every bar at its saved position before any network access`() async throws {
        let folder = try TestFolder()
        // The server is shut down afterwards: everything that is shown comes from the ledger.
        try await FaultServer.serving { server in
            _ = try await interrupted(server, in: folder, by: SIGTERM)
        }
        let kept = try folder.size("got/moving.bin.part")
        let terminal = try await Tmux(folder)
        try await terminal.winch("--state-dir state --retry-wait 60")
        // The first screen that names it.
        let screen = try await terminal.wait(for: "moving.bin")
        let line = try screen.first { $0.contains("moving.bin") }.unwrapped("the row")
        expect(line.contains("\(kept * 100 / (2 << 20))%"), "\(line)")
        expect(screen.contains { $0.contains("done.bin") && $0.contains("100%") }, "\(screen)")
        expect(screen.contains { $0.contains("waiting.bin") })
        try await terminal.press("q", "y")
    }
}
