import FaultServer
import Foundation
import TestSupport
import Testing

/// Commands that are run when transfers have ended.
@Suite(.serialized) struct `A command that is run at the end of transfers`: SessionSuite {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        // One line a call, in one write: EVENT|OUTCOME|FILE|ID|ERROR|CODE|DONE/FAILED.
        try folder.writeScript(
            """
            printf '%s|%s|%s|%s|%s|%s|%s/%s\\n' "$WINCH_HOOK_EVENT" "$WINCH_HOOK_OUTCOME" "$WINCH_HOOK_FILE" \
            "$WINCH_HOOK_ID" "$WINCH_HOOK_ERROR" "$WINCH_HOOK_CODE" "$WINCH_HOOK_DONE" "$WINCH_HOOK_FAILED" >> calls
            """, to: "tell")
    }

    private func calls() -> [String] {
        ((try? folder.text("calls")) ?? "").split(separator: "\n").map(String.init)
    }

    /// Waits until this many calls have been made.
    private func calls(count: Int) async throws -> [String] {
        try await eventually("\(count) calls") { calls().count >= count }
        return calls()
    }

    @Test func `is called once for each that has ended, and last for all`() async throws {
        try await FaultServer.serving { server in
            let hooks = ["--on-done", "./tell", "--on-fail", "./tell", "--on-settled", "./tell"]
            let urls = [server.url("a", "size=10"), server.url("gone", "status=404")]
            let first = try await program(hooks + urls + ["--output", "plain"]).wait()
            expectEqual(first.code, 3, "\(first.errors)")
            expectEqual(
                calls().dropLast().sorted(),
                [
                    "done|saved|\(folder.path("a"))|1|||/", "fail||\(folder.path("gone"))|2|404 not found|3|/",
                ])
            expectEqual(calls().last, "settled||||||1/1")
            // What an earlier run has settled is not told again; the file alone tells of no run.
            try folder.write("", to: "calls")
            _ = try await winch("--output", "plain", "--on-settled", "")
            expectEqual(calls(), [])
            let checksum = "sha-256=" + SeededContent(name: "a").sha256(size: 10)
            for options in [[], ["--checksum", checksum]] {
                let again = try await program(options + ["--output", "json", "--on-done", "./tell", urls[0]]).wait()
                expectEqual(calls(), [], "\(options)")
                let ends = again.lines.filter { $0.contains(#""event":"finished""#) }
                expect(ends.count == 1 && ends[0].contains(#""outcome":"alreadyComplete""#), "\(again.output)")
            }
            _ = try await winch("--ephemeral", "--output", "plain", "--on-done", "./tell", urls[0])
            expectEqual(calls(), ["done|alreadyComplete|\(folder.path("a"))|1|||/"])
        }
    }

    @Test func `gets names as plain values, of the file that was saved`() async throws {
        try await FaultServer.serving { server in
            try folder.write("other", to: "a;touch pwned")
            try folder.write(
                "\(server.url("x", "size=10"))\n  out=a;touch pwned\n"
                    + "\(server.url("y", "size=10"))\n  out=$(touch pwned) '\"`id`\n", to: "list")
            let result = try await winch("-i", "list", "--output", "plain", "-d", ".", "--on-done", "./tell")
            expectEqual(result.code, 0, "\(result.errors)")
            expectEqual(
                Set(calls().map { $0.split(separator: "|")[2] }),
                [
                    "\(folder.path("a;touch pwned.1"))", "\(folder.path("$(touch pwned) '\"`id`"))",
                ])
            expect(!folder.exists("pwned"))
        }
    }

    @Test func `can be chosen for an entry of a batch, and turned off for it`() async throws {
        try await FaultServer.serving { server in
            try folder.write(
                "\(server.url("a", "size=1"))\n\(server.url("b", "size=1"))\n  on-done=\n"
                    + "\(server.url("c", "size=1"))\n  on-done=sh -c 'echo own \"$WINCH_HOOK_ID\" >> calls'\n"
                    + "\(server.url("d", "size=1"))\n  on-settled=./tell\n  on-done=\n"
                    + "\(server.uploadURL("up"))\n  upload=source\n", to: "list")
            try folder.write("content", to: "source")
            try folder.write("on-done=./tell\n", to: "conf")
            let result = try await winch("-i", "list", "--output", "plain", "--config", "conf")
            expect(result.code == 0 && result.errors.contains("on-settled"), "\(result.errors)")
            expectEqual(
                calls().sorted(),
                [
                    "done|saved|\(folder.path("a"))|1|||/", "done|sent|\(folder.path("source"))|5|||/", "own 3",
                ])
            try folder.write("", to: "calls")
            _ = try await winch(server.url("e", "size=1"), "--output", "plain", "--config", "conf", "--on-done", "")
            expectEqual(calls(), [])
        }
    }

    @Test func `that fails is reported, and changes no exit code`() async throws {
        try await FaultServer.serving { server in
            try folder.write(
                "\(server.url("a", "size=1"))\n  on-done=sh -c 'echo no room >&2; exit 5'\n"
                    + "\(server.url("b", "size=1"))\n  on-done=./nothing here\n"
                    + "\(server.url("c", "size=1"))\n  on-done=sleep 100\n", to: "list")
            let result = try await winch(
                "-i", "list", "--output", "json", "--log", "log", "--max-command-time", "1")
            expectEqual(result.code, 0)
            let log = try folder.text("log")
            for words in [
                "--on-done: sh ended with exit code 5: no room",
                "--on-done: \(folder.path("nothing")) cannot be started: No such file or directory",
                "--on-done: sleep was ended after 1 s",
            ] {
                expect(result.errors.contains("winch: \(words)\n"), "\(result.errors)")
                expect(log.contains(words), "\(log)")
            }
        }
    }

    /// The kernel forgets children of such a process, so that the end of the command would never be seen.
    @Test func `is waited for even where the parent of winch ignores the end of children`() async throws {
        try await FaultServer.serving { server in
            try folder.writeScript("exit 5", to: "fails")
            let script = "trap '' CHLD; exec \"$0\" \"$1\" --on-done ./fails --output plain --state-dir state"
            let shell = try Child(
                "/bin/sh", ["-c", script, Program.winch, server.url("a", "size=10")], in: folder.url.path,
                environment: Program.environment(in: folder),
                streams: .files(input: nil, output: folder.path("output"), errors: folder.path("errors")))
            try await expectEqual(shell.end(within: 60), 0)
            try expect(folder.text("errors").contains("fails ended with exit code 5"))
        }
    }

    @Test func `is kept for a run that goes on later, from another folder`() async throws {
        try await FaultServer.serving { server in
            let run = try program([
                server.url("slow", "size=600000", "ratefirst=200000"), "--on-done", "./tell", "--on-settled", "./tell",
                "--output", "plain",
            ])
            try await folder.wait(for: "slow.part", toHave: 100_000)
            run.signal(SIGINT)
            try await expectEqual(run.wait().code, 7)
            expectEqual(calls(), [])
            let other = try TestFolder(inside: folder.url.appending(path: "other"))
            try FileManager.default.createDirectory(at: other.url, withIntermediateDirectories: true)
            let result = try await Program(["--output", "plain", "--state-dir", folder.path("state")], in: other).wait()
            expect(result.code == 0 && result.errors.contains("--on-settled"), "\(result.errors)")
            try expectEqual(other.text("calls"), "done|saved|\(folder.path("slow"))|1|||/\nsettled||||||1/0\n")
        }
    }

    @Test func `is run by a session, whose log has what went wrong`() async throws {
        try await FaultServer.serving { server in
            try await expectEqual(winch("serve", "--on-settled", "./tell").code, 0)
            try await expectEqual(winch("add", server.url("a", "size=10"), "--on-done", "./tell").code, 0)
            try await expectEqual(calls(count: 2), ["done|saved|\(folder.path("a"))|1|||/", "settled||||||1/0"])
            try await expectEqual(winch("add", server.url("b", "size=10"), "--on-done", "false").code, 0)
            try await eventually("a line of the log") {
                try folder.text("state/session.log").contains("--on-done: false ended with exit code 1")
            }
            try await expectEqual(winch("stop").code, 0)
        }
    }

    @Test
    func `of a session that fails is shown in every dashboard that is attached, and costs none that does not read`()
        async throws
    {
        try await FaultServer.serving { server in
            try await expectEqual(winch("serve").code, 0)
            let (reader, other) = (try RawSessionClient(socket), try RawSessionClient(socket))
            for client in [reader, other] {
                client.introduce()
                client.send(#"{"n":1,"do":"follow"}"#)
                _ = client.read(until: #""reply":{"n":1"#)
            }
            let asker = try RawSessionClient(socket)
            asker.introduce()
            try await expectEqual(winch("add", server.url("b", "size=10"), "--on-done", "sh -c 'exit 9'").code, 0)
            for client in [reader, other] {
                let text = client.read(until: #"{"notice":""#)
                expect(text.contains(#"{"notice":""#) && text.contains("exit code 9"), "\(text.suffix(2000))")
            }
            // One that does not follow is not told.
            asker.send(#"{"n":5,"do":"unfollow"}"#)
            expect(!asker.read(until: #""n":5"#).contains("notice"))
            try await expectEqual(winch("stop").code, 0)
        }
    }

    @Test func `inherits no connection`() async throws {
        try await FaultServer.serving { server in
            try folder.write(
                "\(server.url("a", "size=10"))\n  on-done=sh -c 'readlink /proc/self/fd/* > calls'\n"
                    + "\(server.url("slow", "size=100000", "rate=100000"))\n", to: "list")
            try await expectEqual(winch("-i", "list", "--output", "plain").code, 0)
            let descriptors = try folder.text("calls")
            expect(!descriptors.contains("socket:"), "\(descriptors)")
        }
    }
}
