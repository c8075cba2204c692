import FaultServer
import Foundation
import TestSupport
import Testing

@Suite struct `A file downloaded to standard output` {
    /// - Returns: the exit code.
    private func run(_ arguments: String, _ folder: TestFolder, then pipe: String = "> got") async throws -> Int32? {
        let line = "cd '\(folder.url.path)'; '\(Program.winch)' -o - \(arguments) 2> errors \(pipe)"
        return try await InstalledTool.code("/bin/sh", ["-c", line], environment: Program.environment(in: folder))
    }

    @Test(arguments: [["size=3M", "drop=1M"], ["size=0"]])
    func `is written without any other output`(options: [String]) async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = ([server.url("a.bin", options[0])] + options.dropFirst()).joined(separator: "&")
            let code = try await run("'\(url)' --retry-wait 0.05", folder)
            let errors = try folder.text("errors")
            expectEqual(code, 0, "\(errors)")
            let size = Int64(options[0].dropFirst(5).replacing("M", with: "")).map {
                options[0].hasSuffix("M") ? $0 << 20 : $0
            }
            try expectEqual(
                folder.sha256("got"), SeededContent(name: "a.bin").sha256(size: try size.unwrapped("a size")))
            expect(errors.contains("finished  a.bin"))
            try expectEqual(folder.names(), ["errors", "got"])
        }
    }

    @Test func `is written while it is downloaded`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let url = server.url("a.bin", "size=3M", "stall=1000000", "stallfor=60")
            let child = try Child(
                Program.winch, ["-o", "-", url], in: folder.url.path, environment: Program.environment(in: folder),
                streams: .files(output: folder.path("got")))
            defer { child.signal(SIGKILL) }
            try await folder.wait(for: "got", toHave: 500_000)
        }
    }

    @Test func `leaves nothing in the folder for temporary files when the run is killed`() async throws {
        try await FaultServer.serving { server in
            let (folder, temporary) = (try TestFolder(), try TestFolder())
            let url = server.url("a.bin", "size=3M", "stall=1000000", "stallfor=60")
            let environment = Program.environment(in: folder).merging(["TMPDIR": temporary.url.path]) { $1 }
            let child = try Child(
                Program.winch, ["-o", "-", url], in: folder.url.path, environment: environment,
                streams: .files(output: folder.path("got")))
            defer { child.signal(SIGKILL) }
            try await folder.wait(for: "got", toHave: 500_000)
            try expectEqual(temporary.names().count, 1)
            child.signal(SIGKILL)
            try await eventually("an empty folder") { try temporary.names().isEmpty }
        }
    }

    @Test func `is verified by a checksum list, which must name it`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            let right = SeededContent(name: "a.bin").sha256(size: 3 << 20)
            for (line, code) in [("\(right)  a.bin", 0), (String(repeating: "0", count: 64) + "  a.bin", 32)] {
                try folder.write(line + "\n", to: "SUMS")
                let found = try await run("'\(server.url("a.bin", "size=3M"))' --sums SUMS", folder)
                let errors = try folder.text("errors")
                expectEqual(found, Int32(code), "\(errors)")
            }
            try folder.write("\(right)  other\n", to: "SUMS")
            try await expectEqual(run("'\(server.url("a.bin", "size=3M"))' --sums SUMS", folder), 32)
            try expect(folder.text("errors").contains("none of the files is listed there: nothing was downloaded"))
            try expectEqual(folder.text("got"), "")
        }
    }

    @Test func `does not wait where the settings hold the queue`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try folder.write("hold=yes\n", to: "conf")
            try await expectEqual(run("'\(server.url("a.bin", "size=3M"))' --config conf", folder), 0)
        }
    }

    @Test func `that cannot be written is reported with the reason`() async throws {
        try await FaultServer.serving { server in
            let folder = try TestFolder()
            try await expectEqual(run("'\(server.url("a.bin", "size=3M"))'", folder, then: "> /dev/full"), 17)
            let errors = try folder.text("errors")
            expect(errors.contains("failed  a.bin: standard output: No space left on device"), "\(errors)")
            expect(!errors.contains("finished  a.bin"), "\(errors)")
            try await expectEqual(run("'\(server.url("b.bin", "size=3M"))'", folder, then: ">&-"), 17)
            try expect(folder.text("errors").contains("standard output: Bad file descriptor"))
        }
    }

    @Test(
        arguments: [
            "http://h/a http://h/b", "", "-i list", "--output tui http://h/a", "--hold http://h/a",
        ])
    func `must be the only one and cannot be combined with what has no effect`(arguments: String) async throws {
        let folder = try TestFolder()
        try folder.write("http://h/a\n", to: "list")
        try await expectEqual(run(arguments, folder), 64)
    }
}
