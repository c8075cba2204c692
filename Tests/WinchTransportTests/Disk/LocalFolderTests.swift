import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A local folder` {
    private let root: TemporaryFolder
    private static let time: Int64 = 1_704_458_096

    init() throws {
        root = try TemporaryFolder()
        root.makeFolder("pub")
    }

    /// Of 3 bytes.
    private func spec(_ name: String = "a.bin", size: Int64 = 3) throws -> TransferSpec {
        var spec = TransferSpec(urls: [try TransferURL("http://h.example/pub/" + name)], folder: root.path + "/pub")
        spec.namedParts = 1
        spec.listedVersion = ListedVersion(
            size: ListedSize(bytes: size), time: ListedTime(seconds: Self.time, precision: .second, isZoned: true))
        return spec
    }

    /// - Parameter url: from which Winch has downloaded it; `nil`: it did not.
    private func write(_ name: String, from url: String? = nil, isTouched: Bool = false) {
        let path = "pub/" + name
        root.write(path, [1, 2, 3])
        if let url {
            root.set("user.xdg.origin.url", to: url, of: path)
            root.set("user.winch.modified", to: "\(Self.time)000000000", of: path)
        }
        let time = timespec(tv_sec: Int(Self.time) + (isTouched ? 1 : 0), tv_nsec: 0)
        expectEqual(utimensat(AT_FDCWD, root.path + "/" + path, [time, time], 0), 0)
    }

    private func find(_ spec: TransferSpec, earlier: LedgerEntry? = nil) throws -> LocalFolder.Finding {
        var claims = NameClaims()
        return try find(spec, earlier: earlier, &claims)
    }

    private func find(
        _ spec: TransferSpec, earlier: LedgerEntry? = nil, _ claims: inout NameClaims
    ) throws -> LocalFolder.Finding {
        try require(LocalFolder(spec.folder, named: 1)).find(spec, earlier: earlier, &claims)
    }

    @Test func `has a file as it is listed`() throws {
        try expectEqual(find(spec()), .missing)
        root.link("pub/a.bin", to: "/etc/hostname")
        try expectEqual(find(spec()), .missing)
        write("b.bin")
        try expectEqual(find(spec("b.bin")), .same(name: "b.bin", bytes: 3))
        try expectEqual(find(spec("b.bin", size: 4)), .changed(own: nil))
    }

    @Test func `has a file beside a folder of its name, and a folder beside a file`() throws {
        root.makeFolder("pub/a.bin")
        try expectEqual(find(spec()), .missing)
        let folder = try require(LocalFolder(root.path + "/pub", named: 1))
        expectEqual(folder.fileName("a.bin"), "a.1.bin")
        write("a.1.bin")
        try expectEqual(find(spec()), .same(name: "a.1.bin", bytes: 3))
        // Which of the files is replaced is said elsewhere.
        expectEqual(folder.fileName("a.1.bin"), "a.1.bin")
        expectEqual(folder.folderName("a.1.bin") { $0 == "a.1.1.bin" }, "a.1.2.bin")
        expectEqual(folder.folderName("b") { _ in true }, "b")
    }

    @Test func `has an older version that may be replaced if it is as Winch has written it`() throws {
        let url = "http://h.example/pub/a.bin"
        write("a.bin", from: url)
        try expectEqual(find(spec(size: 4)), .changed(own: "a.bin"))
        write("a.bin", from: url, isTouched: true)
        try expectEqual(find(spec(size: 4)), .changed(own: nil))
        // Beside the file of another URL.
        write("a.bin", from: "http://h.example/other/a.bin")
        try expectEqual(find(spec(size: 4)), .missing)
        write("a.1.bin", from: url)
        try expectEqual(find(spec(size: 4)), .changed(own: "a.1.bin"))
        try expectEqual(find(spec()), .same(name: "a.bin", bytes: 3))
    }

    @Test func `has the file of an earlier run under the name that it got`() throws {
        write("b.bin")
        var past = try spec()
        past.listedVersion?.time?.seconds = 5
        var entry = LedgerEntry(
            key: LedgerKey(1), rank: 1, spec: past, standing: .finished(.saved(path: "b.bin")), name: "b.bin",
            size: .exact(ByteCount(3)), addedAt: UnixTime(milliseconds: 1),
            settledAt: UnixTime(milliseconds: (Self.time + 1) * 1000))
        // Another time was listed then.
        try expectEqual(find(spec(), earlier: entry), .changed(own: "b.bin"))
        // The server can say whether it has another version than that.
        entry.validator = .strongETag("\"v\"")
        var status = stat()
        expectEqual(stat(root.path + "/pub/b.bin", &status), 0)
        let finished = FinishedFile(FileIdentity(status), .strongETag("\"v\""))
        try expectEqual(find(spec(), earlier: entry), .changed(own: "b.bin", finished: finished))
        entry.spec = try spec()
        try expectEqual(find(spec(), earlier: entry), .same(name: "b.bin", bytes: 3))
        // The user has written to it since.
        entry.settledAt = UnixTime(milliseconds: 1)
        try expectEqual(find(spec(), earlier: entry), .missing)
    }

    @Test func `has a file for one of two URLs whose names are made the same`() throws {
        var claims = NameClaims()
        let (first, second) = try (spec("-a.bin"), spec("~a.bin"))
        // Named while the folder was not there; the first is downloaded before the second is listed.
        expectEqual(LocalFolder.findNothing(of: first, &claims), .missing)
        write("_a.bin")
        try expectEqual(find(second, &claims), .missing)
        try expectEqual(find(first, &claims), .same(name: "_a.bin", bytes: 3))
        // A later run finds both, one under its number.
        write("_a.1.bin")
        claims = NameClaims()
        try expectEqual(find(first, &claims), .same(name: "_a.bin", bytes: 3))
        try expectEqual(find(second, &claims), .same(name: "_a.1.bin", bytes: 3))
        try expectEqual(find(spec(".a.bin"), &claims), .missing)
    }

    @Test func `has files whose names differ in case for themselves, unless they are one`() throws {
        var claims = NameClaims()
        write("README")
        write("readme")
        try expectEqual(find(spec("README"), &claims), .same(name: "README", bytes: 3))
        try expectEqual(find(spec("readme"), &claims), .same(name: "readme", bytes: 3))
        // As a folder shows them that regards no case.
        expectEqual(unlink(root.path + "/pub/readme"), 0)
        expectEqual(link(root.path + "/pub/README", root.path + "/pub/readme"), 0)
        try expectEqual(find(spec("readme"), &claims), .missing)
    }

    @Test func `loses the parts that attempts have left of a file that is here, and no others`() throws {
        write("a.bin")
        let url = "http://h.example/pub/a.bin"
        let parts: [(String, String?)] = [
            ("a.bin.part", url), ("a.bin.1.part", "http://h.example/other/a.bin"), ("a.bin.2.part", url),
            ("a.bin.3.part", nil), ("b.bin.part", url),
        ]
        for (name, url) in parts {
            root.write("pub/" + name, [1])
            if let url { root.sign("pub/" + name, url, total: 3, etag: "v") }
        }
        // Another process writes it.
        let held = open(root.path + "/pub/a.bin.2.part", O_RDONLY)
        expectEqual(flock(held, LOCK_EX), 0)
        defer { close(held) }
        try LocalFolder.removeParts(of: [(spec(), "a.bin")])
        expectEqual(
            TemporaryFolder.names(in: root.path + "/pub"),
            ["a.bin", "a.bin.1.part", "a.bin.2.part", "a.bin.3.part", "b.bin.part"])
    }

    @Test func `is neither made, nor reached through a link that a server has named`() throws {
        expectNil(LocalFolder(root.path + "/new", named: 1))
        expectEqual(root.names, ["pub"])
        root.link("way", to: root.path + "/pub")
        expectNil(LocalFolder(root.path + "/way", named: 1))
        expect(LocalFolder(root.path + "/way", named: 0) != nil)
    }
}
