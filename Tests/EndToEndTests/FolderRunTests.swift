import FaultServer
import Foundation
import TestSupport
import Testing

/// `winch -r` against a server that lists its folders.
@Suite(.serialized) struct `A folder on the command line` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func `is downloaded with all that is below it, but for what is excluded`() async throws {
        try await FaultServer.serving { server in
            let url = server.treeURL("files=3", "folders=2", "depth=1", "size=2K")
            let result = try await Program.run(
                "-r", url, "-d", "dl", "--exclude", "file-1.bin", "--output", "json", in: folder)
            expectEqual(result.code, 0, "\(result.errors)")
            let files = try server.treeFiles("files=3", "folders=2", "depth=1", "size=2K")
            expectEqual(files.count, 9)
            for file in files {
                let isWanted = !file.path.hasSuffix("file-1.bin")
                expectEqual(folder.exists("dl/pub/" + file.path), isWanted, "\(file.path)")
            }
            let listed = try result.events().filter { $0["outcome"] as? String == "listed" }
            expectEqual(listed.compactMap { $0["files"] as? Int }, [2, 2, 2])
        }
    }

    @Test(arguments: ["nginx", "nginx-json"])
    func `is refused without -r, with the number of its files`(form: String) async throws {
        try await FaultServer.serving { server in
            let url = server.treeURL("form=\(form)", "files=3", "folders=2", "depth=1")
            let result = try await Program.run(url, "--output", "plain", "--ephemeral", in: folder)
            expectEqual(result.code, 3, "\(result.output)")
            expect(result.output.contains("is a folder of 3 files and 2 folders; -r downloads "), "\(result.output)")
            try expectEqual(folder.names(), [])
        }
    }

    @Test func `is downloaded without -r when the dashboard's question is answered`() async throws {
        try await FaultServer.serving { server in
            let terminal = try await Tmux(folder)
            try await terminal.winch("'\(server.treeURL("files=2", "folders=0"))' -d got; echo ended-$?")
            try await terminal.wait(for: "the question") { $0.contains { $0.contains("it?") } }
            // It takes no key for its first second.
            try await Task.sleep(for: .seconds(1.1))
            try await terminal.press("y")
            let files = try server.treeFiles("files=2", "folders=0")
            expectEqual(files.count, 2)
            try await terminal.wait(for: "the files") { _ in
                files.allSatisfy { folder.exists("got/pub/" + $0.path) }
            }
        }
    }

    @Test func `is listed by a check, which leaves nothing on the disk`() async throws {
        try await FaultServer.serving { server in
            let url = server.treeURL("form=nginx", "files=0", "entries=2", "folders=1", "depth=1", "size=2K")
            let result = try await Program.run("check", "-r", url, in: folder)
            expectEqual(result.code, 0, "\(result.errors)")
            expectEqual(result.lines.last, "2 files, 4.0 KiB to transfer", "\(result.output)")
            expectEqual(result.lines.count, 3)
            expect(!folder.exists("pub"))
        }
    }

    @Test func `is judged by a check as by a run, which knows its files by the ledger`() async throws {
        try await FaultServer.serving { server in
            let url = server.treeURL("form=nginx", "files=3", "folders=0", "size=2K")
            let options = ["-r", url, "-d", "dl", "--no-times"]
            try await expectEqual(Program(options, in: folder).wait().code, 0)
            let result = try await Program(["check"] + options, in: folder).wait()
            expectEqual(result.lines.last, "0 files, 0 B to transfer; 3 unchanged", "\(result.output)")
        }
    }

    /// By what the ledger has of the first run, and by the files alone.
    @Test(arguments: [("nginx", []), ("nginx-json", ["--ephemeral"])])
    func `is only listed again as long as its files are here`(form: String, options: [String]) async throws {
        try await FaultServer.serving { server in
            let url = server.treeURL("form=\(form)", "files=3", "folders=2", "depth=1", "size=2K")
            let command = ["-r", url, "-d", "dl"] + options
            try await expectEqual(Program(command, in: folder).wait().code, 0)
            server.forget()
            let again = try await Program(command, in: folder).wait()
            expectEqual(again.code, 0, "\(again.errors)")
            expectEqual(server.listings.count, 3)
            expectEqual(server.requestCount, 3)
            try FileManager.default.removeItem(atPath: folder.path("dl/pub/dir-0/file-1.bin"))
            try await expectEqual(Program(command, in: folder).wait().code, 0)
            expectEqual(server.requestCount, 7)
            expect(folder.exists("dl/pub/dir-0/file-1.bin"))
        }
    }

    /// Small files that are finished together have no attributes: the ledger has their versions.
    @Test(arguments: ["seed=7", "noetag"])
    func `that lists names only is asked for its files, and none is sent again`(option: String) async throws {
        try await FaultServer.serving { server in
            let url = server.treeURL("form=python", "files=40", "folders=0", "size=2K", option)
            let command = ["-r", url, "-d", "dl"]
            try await expectEqual(Program(command, in: folder).wait().code, 0)
            let before = try fileNumbers()
            expectEqual(before.count, 40)
            for _ in 2...3 {
                server.forget()
                let again = try await Program(command, in: folder).wait()
                expectEqual(again.code, 0, "\(again.errors)")
                expectEqual(server.listings.count, 1)
                expectEqual(server.requests.count { $0.status == 304 }, 40)
                expectEqual(server.requestCount, 41)
                try expectEqual(fileNumbers(), before)
            }
        }
    }

    @Test func `that is finished by another run keeps what is known of the files of the first`() async throws {
        try await FaultServer.serving { server in
            let url = server.treeURL(
                "form=python", "files=40", "folders=0", "size=2K", "only=file-39.bin", "rate=4K")
            let command = ["-r", url, "-d", "dl"]
            let first = try Program(command, in: folder)
            try await eventually("the files beside the slow one") {
                (0..<39).allSatisfy { folder.exists("dl/pub/file-\($0).bin") }
            }
            first.signal(SIGTERM)
            _ = try await first.wait()
            try await expectEqual(Program([], in: folder).wait().code, 0)
            let before = try fileNumbers()
            expectEqual(before.count, 40)
            server.forget()
            try await expectEqual(Program(command, in: folder).wait().code, 0)
            expectEqual(server.requests.count { $0.status == 304 }, 40)
            try expectEqual(fileNumbers(), before)
        }
    }

    /// Those of the file system, by name.
    private func fileNumbers() throws -> [String: Int] {
        try folder.names("dl/pub").reduce(into: [:]) { numbers, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("dl/pub/" + name))
            numbers[name] = attributes[.systemFileNumber] as? Int
        }
    }
}
