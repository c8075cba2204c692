import FaultServer
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `The program at start` {
    @Test(arguments: [["-i", "fifo"], ["--sums", "fifo", "http://localhost:1/a"]])
    func `can be interrupted while it waits for a list`(arguments: [String]) async throws {
        let folder = try TestFolder()
        try await InstalledTool.run("/usr/bin/mkfifo", [folder.path("fifo")])
        let program = try Program(arguments, in: folder)
        // A FIFO can be opened in this way only when another process reads it.
        var writer: Int32 = -1
        try await eventually("the program to read") {
            writer = open(folder.path("fifo"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return writer >= 0
        }
        defer { close(writer) }
        program.signal(SIGINT)
        try await expectEqual(program.wait().code, -SIGINT)
    }

    /// libcurl would wait for a writer on the thread of all transfers.
    @Test func `refuses a netrc that is a FIFO`() async throws {
        let folder = try TestFolder()
        expectEqual(mkfifo(folder.path(".netrc"), 0o600), 0)
        let result = try await Program(
            ["--netrc", "http://localhost:1/a"], in: folder, environment: ["HOME": folder.url.path]
        ).wait()
        expectEqual(result.code, 64)
        expect(result.errors.contains("--netrc \(folder.path(".netrc")): a FIFO or pipe"), "\(result.errors)")
    }

    @Test(arguments: [("whole", Int32(0)), ("part", 17)])
    func `in a folder that was removed saves to another that is named whole`(name: String, code: Int32) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let (gone, target) = (folder.path("gone"), name == "whole" ? folder.path("got") : "got")
            let url = server.url("a", "size=9")
            let line = """
                mkdir '\(gone)'; cd '\(gone)'; rmdir '\(gone)'
                exec \(Program.winch) --ephemeral -d '\(target)' '\(url)' > '\(folder.path("told"))' 2>&1
                """
            let ended = try await InstalledTool.code(
                "/bin/sh", ["-c", line], environment: Program.environment(in: folder))
            let told = try folder.text("told")
            expectEqual(ended, code, "\(told)")
            expectEqual(folder.exists("got/a"), code == 0)
        }
    }

    @Test func `tells of a limit of open files that is too low for anything`() async throws {
        let folder = try TestFolder()
        // The shell needs a descriptor of its own for what it redirects.
        let line =
            "exec 2> '\(folder.path("told"))'; ulimit -n 5; exec \(Program.winch) --ephemeral http://localhost:1/a"
        let ended = try await InstalledTool.code(
            "/bin/sh", ["-c", line], environment: Program.environment(in: folder))
        expectEqual(ended, 1)
        let told = try folder.text("told")
        let words = told.split(separator: " ")
        expect(words.count > 2 && words[1] == "only" && words[2].allSatisfy(\.isNumber), "\(told)")
        expect(told.contains(" more files may be opened; winch needs 40: ulimit -n "), "\(told)")
    }

    @Test func `opens no file on the descriptor of a closed standard stream`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a.bin", "size=1M", "stall=1000", "stallfor=20")
            let child = try Child(
                "/bin/sh", ["-c", "exec \(Program.winch) '\(url)' -d got --output json >&- 2>&-"],
                in: folder.url.path, environment: Program.environment(in: folder))
            defer { child.signal(SIGKILL) }
            try await eventually("a part") {
                guard child.ending() == nil else { throw Missing(what: "a running program") }
                return try folder.size("got/a.bin.part") > 0
            }
            for stream in 1...2 {
                let file = try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(child.pid)/fd/\(stream)")
                expectEqual(file, "/dev/null")
            }
        }
    }

    @Test(
        arguments: [
            ("put - URL --ephemeral", 17, "standard input: closed, or not open for reading"),
            ("-i -", 64, "standard input: Bad file descriptor"),
            ("URL --sums -", 64, "standard input: Bad file descriptor"),
        ])
    func `takes nothing from a standard input that is closed`(
        arguments: String, code: Int32, reason: String
    ) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let words = arguments.replacing("URL", with: "'\(server.uploadURL("in/x"))'")
            let line = "cd '\(folder.url.path)'; exec \(Program.winch) \(words) > told 2>&1 <&-"
            let ended = try await InstalledTool.code(
                "/bin/sh", ["-c", line], environment: Program.environment(in: folder))
            let told = try folder.text("told")
            expectEqual(ended, code, "\(told)")
            expect(told.contains(reason), "\(told)")
            expect(server.uploads.isEmpty)
        }
    }
}
