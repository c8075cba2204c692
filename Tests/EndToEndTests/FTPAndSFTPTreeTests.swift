import Foundation
import Glibc
import TestSupport
import Testing

/// Whole trees downloaded from vsftpd and OpenSSH's server.
@Suite(.serialized) struct `A folder of a file server` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private struct File: Equatable {
        var content: Data
        var modified: Int
    }

    /// By their paths here. At the server the `%E9` is a byte, so that the name is no UTF-8.
    private static let sizes = [
        "x": 1, "n%E9": 20, "large": 3 << 20, "a b/100%;type=a": 30, "a b/zero": 0, "a b/deep/#?&[x]*": 40,
        "a b/deep/it's \"quoted\"": 50, "a b/deep/😀 日本": 60, "locked": 70,
    ]

    @Test(arguments: FileReceiver.Kind.plain)
    func `is downloaded once, and again only what has changed`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        for path in ["tree/a b/deep", "tree/a b/empty"] {
            try server.root.makeFolder(path)
        }
        // Some so old that vsftpd lists the day alone, and some as young as to be listed by the minute.
        let now = Int(Date.now.timeIntervalSince1970)
        var files: [String: File] = [:]
        for (number, (path, size)) in Self.sizes.sorted(by: { $0.key < $1.key }).enumerated() {
            let age = number.isMultiple(of: 2) ? 100_000_000 + number * 86_461 : 3600 + number * 61
            files[path] = try File(content: Self.noise(size), modified: now - age)
            try Self.write(files[path], at: path, server)
        }
        expectEqual(symlink("..", server.root.path("tree/a b/up")), 0)
        // The tests' user may not read it; root may, and so may the servers that root starts.
        expectEqual(chmod(server.root.path("tree/locked"), 0), 0)
        let isRoot = getuid() == 0
        if !isRoot { files["locked"] = nil }

        let first = try await download(from: server)
        expectEqual(first.code == 0, isRoot, "\(first.output)")
        try expectEqual(first.saved(), Self.names(files))
        try expectSame(files)
        expect(folder.exists("dl/tree/a b/empty"))

        let second = try await download(from: server)
        expectEqual(second.code == 0, isRoot, "\(second.output)")
        try expectEqual(second.saved(), [])
        try expectSame(files)

        let (changed, deleted) = ("a b/deep/😀 日本", "a b/100%;type=a")
        files[changed] = try File(content: Self.noise(61), modified: now)
        try Self.write(files[changed], at: changed, server)
        try FileManager.default.removeItem(atPath: folder.path("dl/tree/" + deleted))
        let third = try await download(from: server)
        expectEqual(third.code == 0, isRoot, "\(third.output)")
        try expectEqual(third.saved(), ["100%;type=a", "😀 日本"])
        try expectSame(files)
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `is completed by the next run when the first is killed`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try server.root.makeFolder("tree/sub")
        let modified = Int(Date.now.timeIntervalSince1970) - 100_000
        var files: [String: File] = [:]
        for path in (0..<6).flatMap({ ["a\($0)", "sub/b\($0)"] }) {
            files[path] = try File(content: Self.noise(600_000), modified: modified)
            try Self.write(files[path], at: path, server)
        }
        let program = try start(from: server, "--limit-rate", "2M", "-j", "2")
        try await eventually("two files and a part of another") {
            let paths = try self.files().keys
            let parts = paths.filter { $0.hasSuffix(".part") }
            return paths.count - parts.count >= 2
                && parts.contains { (try? self.folder.size("dl/tree/" + $0)) ?? 0 > 100_000 }
        }
        program.signal(SIGKILL)
        _ = try await program.wait()
        let left = try self.files()
        let missing = files.filter { left[$0.key] == nil }
        expect(!missing.isEmpty)
        let result = try await download(from: server)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(result.saved(), Self.names(missing))
        try expectSame(files)
        // It has gone on with a part.
        if let ftp = server.ftp { try expect(!ftp.restarts().isEmpty) }
    }

    /// Servers list them as they are. The file `line` must not be mistaken for the other.
    @Test(arguments: FileReceiver.Kind.plain)
    func `may have names with the end of a line, which FTP cannot ask for`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try server.root.makeFolder("tree")
        for name in ["cr\r", "line", "line\nend"] {
            try Self.write(File(content: Data(name.utf8), modified: 1_600_000_000), at: name, server)
        }
        let result = try await download(from: server)
        let names = ["cr\r", "line", "line\nend"].filter { kind == .sftp || $0 == "line" }
        expectEqual(result.code, kind == .sftp ? 0 : 1, "\(result.output)")
        try expectEqual(files().values.map { String(decoding: $0.content, as: UTF8.self) }.sorted(), names)
        try expectEqual(files()["line"]?.content, Data("line".utf8))
        expectEqual(result.output.contains("2 entries were left out"), kind == .ftp, "\(result.output)")
    }

    // MARK: The two sides

    private func start(from server: FileReceiver, _ options: String...) throws -> Program {
        try server.start(["-r", server.url("tree") + "/", "-d", "dl"] + options, in: folder)
    }

    private func download(from server: FileReceiver) async throws -> Program.Result {
        try await start(from: server).wait()
    }

    /// What has been downloaded, also in part.
    private func files() throws -> [String: File] {
        let top = folder.path("dl/tree")
        var files: [String: File] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: top)) ?? [] {
            // One that the program has renamed meanwhile is not found any more.
            guard let facts = try? FileManager.default.attributesOfItem(atPath: top + "/" + path),
                facts[.type] as? FileAttributeType == .typeRegular, let time = facts[.modificationDate] as? Date,
                let content = try? folder.bytes("dl/tree/" + path)
            else { continue }
            files[path] = File(content: content, modified: Int(time.timeIntervalSince1970))
        }
        return files
    }

    private func expectSame(_ expected: [String: File]) throws {
        let found = try files()
        expectEqual(found.keys.sorted(), expected.keys.sorted())
        for (path, file) in expected {
            expect(found[path]?.content == file.content, "\(path)")
            expectEqual(found[path]?.modified, file.modified, "\(path)")
        }
    }

    private static func names(_ files: [String: File]) -> [String] {
        files.keys.compactMap { $0.split(separator: "/").last.map(String.init) }.sorted()
    }

    private static func noise(_ count: Int) throws -> Data {
        let random = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/urandom"))
        defer { try? random.close() }
        return try random.read(upToCount: count) ?? Data()
    }

    private static func write(_ file: File?, at path: String, _ server: FileReceiver) throws {
        let file = try require(file)
        var bytes = Array((server.root.path("tree") + "/" + path).utf8)
        if let range = bytes.firstRange(of: "%E9".utf8) { bytes.replaceSubrange(range, with: [0xE9]) }
        let descriptor = open((bytes + [0]).map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw Missing(what: "\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let written = file.content.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        try require(written == file.content.count)
        let times = [timespec](repeating: timespec(tv_sec: file.modified, tv_nsec: 0), count: 2)
        try require(futimens(descriptor, times) == 0)
    }
}

extension Program.Result {
    /// The names of the files that were downloaded, sorted.
    fileprivate func saved() throws -> [String] {
        try events().filter { $0["event"] as? String == "finished" && $0["outcome"] as? String == "saved" }
            .compactMap { ($0["path"] as? String)?.split(separator: "/").last.map(String.init) }.sorted()
    }
}
