import Foundation
import Glibc
import TestSupport
import Testing

/// Whole uploads by FTP, FTP with TLS, and SFTP.
@Suite(.serialized) struct `An upload to a file server` {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private static let strange = ["a b", "it's \"quoted\"", "Übung 日本", "100%;type=a", "back\\slash", "#?&[x]*"]

    @Test(arguments: FileReceiver.Kind.allCases)
    func `arrives whole under its name`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        for (name, size) in [("empty", 0), ("one", 1), ("some", 700_000)] { try folder.writeRandom(size, to: name) }
        for name in Self.strange { try folder.write(name, to: name) }
        let names = ["empty", "one", "some"] + Self.strange
        let result = try await server.start(["put"] + names + [server.folderURL], in: folder).wait()
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names(), names.sorted())
        for name in names { try expectEqual(server.root.bytes(name), folder.bytes(name)) }
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `goes to a folder that is created when asked`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try folder.write("content", to: "x")
        let refused = try await server.run("put", "x", server.url("a/b%20c/"), in: folder)
        expectEqual(refused.code, 17)
        try expect(refused.reason().hasPrefix("no such folder on the server: "), "\(refused.output)")
        try expectEqual(server.names(), [])
        let result = try await server.run("put", "x", server.url("a/b%20c") + "/", "--create-dirs", in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names("a/b c"), ["x"])
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `is a folder with all that lies below it`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try folder.makeFolder("tree/a b/empty")
        for name in ["tree/x", "tree/a b/y", "tree/a b/z"] { try folder.write(name, to: name) }
        let result = try await server.run("put", "-r", "tree", server.url("new") + "/", in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names("new/tree"), ["a b", "x"])
        try expectEqual(server.names("new/tree/a b"), ["empty", "y", "z"])
        try expectEqual(server.names("new/tree/a b/empty"), [])
        try expectEqual(server.root.text("new/tree/a b/y"), "tree/a b/y")
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `replaces a file only when it is whole, and keeps to a limit`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try server.root.writeScript("old", to: "x")
        // libcurl asks for 2 MiB at once, which the limit takes back afterwards.
        try folder.writeRandom(8 << 20, to: "x")
        let start = ContinuousClock.now
        let program = try server.start(["put", "x", server.folderURL, "--limit-rate", "4M"], in: folder)
        try await server.wait(toHave: 1 << 20)
        try expect(server.root.text("x").contains("old"))
        let result = try await program.wait()
        expectEqual(result.code, 0, "\(result.output)")
        expectMore(ContinuousClock.now - start, than: .seconds(1.4))
        try expectEqual(server.names(), ["x"])
        try expectEqual(server.root.bytes("x"), folder.bytes("x"))
        // By SFTP it keeps the mode.
        expect(kind != .sftp || access(server.root.path("x"), X_OK) == 0)
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `is known to the next run as soon as the server has a file of it`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try folder.writeRandom(3 << 20, to: "x")
        let program = try server.start(["put", "x", server.folderURL, "--limit-rate", "500K"], in: folder)
        try await server.wait(toHave: 1)
        program.signal(SIGKILL)
        _ = try await program.wait()
        let left = try server.names()
        expect(left.count == 1 && left != ["x"], "\(left)")
        // Another version of the source: what is at the server is of no use, and is removed.
        try folder.writeRandom(100_000, to: "x")
        let result = try await server.run("put", "x", server.folderURL, in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names(), ["x"])
        try expectEqual(server.root.bytes("x"), folder.bytes("x"))
        try expectEqual(result.sentBytes(), 100_000)
    }

    @Test(arguments: [(FileReceiver.Kind.ftp, ["RNFR"]), (.sftp, ["rename", "posix-rename"])])
    func `needs a server that renames, or the option`(kind: FileReceiver.Kind, denied: [String]) async throws {
        let server = try await FileReceiver(kind, denied: denied)
        try folder.writeRandom(100_000, to: "x")
        try server.root.write("old", to: "x")
        let refused = try await server.run("put", "x", server.folderURL, in: folder)
        expectEqual(refused.code, 17)
        try expect(refused.reason().contains("--no-temporary-name"), "\(refused.output)")
        try expectEqual(server.root.text("x"), "old")
        let result = try await server.run("put", "x", server.folderURL, "--no-temporary-name", in: folder)
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.root.bytes("x"), folder.bytes("x"))
    }

    @Test(arguments: FileReceiver.Kind.plain) func `may be a stream`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try folder.writeRandom(300_000, to: "x")
        expectEqual(mkfifo(folder.path("pipe"), 0o600), 0)
        let program = try server.start(["put", "pipe", server.url("y")], in: folder)
        _ = try await InstalledTool.run(
            "/bin/sh", ["-c", "cat \"$0\" > \"$1\"", folder.path("x"), folder.path("pipe")])
        let result = try await program.wait()
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names(), ["y"])
        try expectEqual(server.root.bytes("y"), folder.bytes("x"))
    }

    @Test(arguments: FileReceiver.Kind.plain)
    func `keeps the connection for the next`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        let names = (0..<20).map { "file\($0)" }
        for name in names { try folder.write(name, to: name) }
        let result = try await server.start(["put"] + names + [server.folderURL, "-j", "2"], in: folder).wait()
        expectEqual(result.code, 0, "\(result.output)")
        try expectEqual(server.names(), names.sorted())
        try expectAtMost(server.logins(), 3)
    }

    @Test(.enabled(if: getuid() == 0, "only root can serve as another user"), arguments: FileReceiver.Kind.plain)
    func `fails where it may not write`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind, denied: kind == .ftp ? ["STOR"] : ["open"])
        try folder.write("content", to: "x")
        let result = try await server.run("put", "x", server.folderURL, in: folder)
        expectEqual(result.code, 24, "\(result.output)")
        try expect(result.reason().hasPrefix("no permission to write on the server: "), "\(result.output)")
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "no right to mount"), arguments: FileReceiver.Kind.plain)
    func `fails at a full disk`(kind: FileReceiver.Kind) async throws {
        let server = try await FileReceiver(kind)
        try server.root.makeFolder("disk")
        let code = mount("tmpfs", server.root.path("disk"), "tmpfs", 0, "size=1m")
        try require(code == 0)
        defer { umount(server.root.path("disk")) }
        try folder.writeRandom(3 << 20, to: "x")
        let result = try await server.run("put", "x", server.url("disk") + "/", "--max-tries", "2", in: folder)
        // vsftpd resets the data connection before it answers: either can be seen first.
        let isReset = kind == .ftp && result.code == 6
        // OpenSSH answers "Failure", and how much is free when it is asked.
        expect(isReset || (kind == .sftp ? result.code == 9 : [9, 17].contains(result.code)), "\(result.output)")
        let words = kind == .sftp ? "no space left on the server" : "full"
        try expect(isReset || result.reason().contains(words), "\(result.output)")
        try expect(!server.names("disk").contains("x"))
    }
}
