import FaultServer
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
}
