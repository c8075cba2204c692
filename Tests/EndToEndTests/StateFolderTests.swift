import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `The state on disk` {
    /// Even if a test sets no environment, a run must not leave rows in the ledger of the user who runs the tests.
    @Test(arguments: [nil, ["PATH": "/usr/bin:/bin"]] as [[String: String]?])
    func `of the user who runs the tests is never touched`(environment: [String: String]?) async throws {
        let folder = try TestFolder()
        let child = try Child(
            Program.winch, ["info"], environment: environment, streams: .files(output: folder.path("out")))
        try await expectEqual(child.end(within: 60), 0)
        let lines = try folder.text("out").split(separator: "\n")
        expect(lines.contains { $0.hasPrefix("state     /dev/null/state/winch/") }, "\(lines)")
        expect(lines.contains { $0.hasPrefix("settings  /dev/null/config/winch/") })
    }

    @Test func `is shown beside the settings file, or the reason why none is read`() async throws {
        let folder = try TestFolder()
        let chosen = try await Program.run("info", "--no-config", in: folder)
        expect(chosen.output.contains("settings  none (--no-config)\n"), "\(chosen.output)")
        let homeless = try await Program.run("info", in: folder, environment: ["HOME": "", "XDG_CONFIG_HOME": ""])
        let home = try require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) })
        expect(homeless.output.contains("\nsettings  \(home)/.config/winch/winch.conf"), "\(homeless.output)")
    }

    @Test func `includes options of the whole run, which a run without arguments uses again`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let first = try Program(
                [server.url("a.bin", "size=1M"), "--limit-rate", "300K", "-j2", "--output", "plain"], in: folder)
            try await folder.wait(for: "a.bin.part", toHave: 100_000)
            first.signal(SIGTERM)
            try await expectEqual(first.wait().code, 7)
            let started = ContinuousClock.now
            let left = try 1_048_576 - folder.size("a.bin.part")
            let second = try await Program.run("--output", "plain", in: folder)
            expectEqual(second.code, 0, "\(second.errors)")
            expect(
                second.errors.hasPrefix("winch: resuming with -j 2 --limit-rate 300K of the last run\n"),
                "\(second.errors)")
            // Never faster than the limit, on a busy machine either; half of the least time is allowed for bursts.
            expectMore(ContinuousClock.now - started, than: .seconds(Double(left) / 300_000 / 2))
        }
    }

    @Test func `is neither read nor written with --ephemeral`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a", "size=9")
            try await expectEqual(Program.run(url, "--ephemeral", "--state-dir", "state", in: folder).code, 0)
            try expectEqual(folder.names(), ["a"])
            expect(!folder.exists(".state"))
            expect(!folder.exists(".local"))
            try await expectEqual(Program.run("--ephemeral", "--output", "plain", in: folder).code, 64)
        }
    }

    @Test func `that cannot be written causes a warning, and the files are downloaded anyway`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("a file", to: "blocked")
            let result = try await Program.run(
                server.url("a", "size=9"), "--state-dir", "blocked/state", in: folder)
            expectEqual(result.code, 0)
            expect(result.errors.contains("blocked/state"))
            expect(result.errors.contains("this run will not be saved"))
            try expectEqual(folder.size("a"), 9)
        }
    }

    @Test func `that is damaged is renamed, and the downloads resume from what the parts record`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let command = [
                server.url("a.bin", "size=2M", "ratefirst=1M"), "--progress", "simple", "--state-dir", "state",
            ]
            let first = try Program(command, in: folder)
            try await folder.wait(for: "a.bin.part", toHave: 300_000)
            first.signal(SIGTERM)
            try await expectEqual(first.wait().code, 7)
            let kept = try folder.size("a.bin.part")
            for file in try folder.names("state") where file.hasPrefix("ledger.sqlite-") {
                try FileManager.default.removeItem(atPath: folder.path("state/" + file))
            }
            try folder.write(String(repeating: "damaged ", count: 2000), to: "state/ledger.sqlite")
            server.forget()
            let again = try await Program(command, in: folder).wait()
            expectEqual(again.code, 0)
            expect(again.errors.contains("damaged"), "\(again.errors)")
            expectEqual(server.requests(for: "a.bin").first?.range, "bytes=\(kept - 4096)-")
            try folder.expectSeeded("a.bin", size: 2 << 20)
        }
    }
}

@Suite struct `Two processes with the same file` {
    /// With two ledgers the lock on the part shows the conflict.
    @Test func `do not write to the same part, and the second one names the first`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a.bin", "size=400M", "rate=1M")
            let first = try Program([url, "--progress", "simple", "--state-dir", "state"], in: folder)
            try await folder.wait(for: "a.bin.part", toHave: 200_000)
            let second = try await Program.run(url, "--output", "plain", "--state-dir", "own", in: folder)
            expectEqual(second.code, 11, "\(second.output)\(second.errors)")
            expect(
                second.output.contains("another winch is at work on")
                    && second.output.contains("a.bin (process \(first.pid))"),
                "\(second.output)")
            try expectEqual(folder.names().filter { $0.contains("a.") }, ["a.bin.part"])
            // The first process is not affected.
            let before = try folder.size("a.bin.part")
            try await folder.wait(for: "a.bin.part", toHave: before + 1)
            first.signal(SIGTERM)
            try await expectEqual(first.wait().code, 7)
        }
    }

    @Test func `do not start the same transfer, even if the first has not begun it yet`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let urls = [server.url("a.bin", "size=400M", "rate=1M"), server.url("b.bin", "size=9")]
            let first = try Program(
                urls + ["-j", "1", "--progress", "simple", "--state-dir", "state"], in: folder)
            try await folder.wait(for: "a.bin.part", toHave: 1)
            let second = try await Program.run(
                urls[1], "--output", "plain", "--state-dir", "state", in: folder)
            expectEqual(second.code, 11)
            expect(server.requests(for: "b.bin").isEmpty)
            let alone = try await Program.run("--output", "plain", "--state-dir", "state", in: folder)
            expectEqual(alone.code, 0)
            expect(
                alone.errors.contains("which another winch works on (process \(first.pid))"), "\(alone.errors)")
            first.signal(SIGKILL)
            _ = try await first.wait()
        }
    }
}
