import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of files` {
    private let digits = String(repeating: "0", count: 64)

    @Test func `say what is downloaded and where it is stored`() throws {
        let options = try FileOptions.parse(["-ia", "-i", "-", "-d", "folder", "-o", "name", "--shard", "1/4"])
        #expect(options.inputFiles == ["a", "-"])
        #expect(options.dir == "folder")
        #expect(options.out == .file(try TargetPath("name")))
        #expect(options.shard != nil)
    }

    @Test func `write to standard output for a name of one dash`() throws {
        #expect(try FileOptions.parse(["-o", "-"]).out == .standardOutput)
    }

    @Test func `save a Metalink instead of following it`() throws {
        var settings = TransferSettings()
        try FileOptions.parse(["--no-metalink"]).apply(to: &settings)
        #expect(settings.metalink == .save)
        try FileOptions.parse([]).apply(to: &settings)
        #expect(settings.metalink == .follow)
    }

    @Test(arguments: ["--out=../x", "--out=/etc/x", "--shard=4/4", "--shard=x"])
    func `refuse a name outside the folder and a part that does not exist`(option: String) {
        #expect(throws: (any Error).self) { try FileOptions.parse([option]) }
    }

    @Test(arguments: NameConflict.allCases)
    func `set what happens to a file of the name`(way: NameConflict) throws {
        var settings = TransferSettings()
        try FileOptions.parse(["--on-conflict", way.rawValue]).apply(to: &settings)
        #expect(settings.onConflict == way)
    }

    @Test(arguments: FileChange.allCases)
    func `set what happens when the remote file has changed`(way: FileChange) throws {
        var settings = TransferSettings()
        try FileOptions.parse(["--on-change", way.rawValue]).apply(to: &settings)
        #expect(settings.onChange == way)
    }

    @Test(
        arguments: [("none", .none), ("trunc", .none), ("falloc", .falloc), ("prealloc", .falloc)]
            as [(String, FileAllocation)])
    func `take the names that aria2 has for reserving space`(word: String, way: FileAllocation) throws {
        var settings = TransferSettings()
        try FileOptions.parse(["--file-allocation", word]).apply(to: &settings)
        #expect(settings.fileAllocation == way)
    }

    @Test(arguments: ["--on-conflict=ask-me", "--on-change=never", "--file-allocation=some"])
    func `refuse another way`(option: String) {
        #expect(throws: (any Error).self) { try FileOptions.parse([option]) }
    }

    @Test func `set the checksum of the file, and name lists`() throws {
        var settings = TransferSettings()
        let options = try FileOptions.parse([
            "--checksum", "sha-256=" + digits, "--sums", "a", "--sums", "http://h/b",
        ])
        options.apply(to: &settings)
        #expect(settings.checksum?.algorithm == .sha256)
        #expect(options.sums == ["a", "http://h/b"])
    }

    @Test func `tell the algorithm by the number of digits`() throws {
        #expect(try FileOptions.parse(["--checksum", digits]).checksum?.algorithm == .sha256)
    }

    @Test(arguments: ["--checksum=sha-256=00", "--checksum=crc=00000000", "--checksum=xyz"])
    func `refuse what is no checksum`(option: String) {
        #expect(throws: (any Error).self) { try FileOptions.parse([option]) }
    }

    @Test(arguments: ["--max-size", "--max-filesize"])
    func `sets the size above which a file is refused`(name: String) throws {
        var settings = TransferSettings()
        try FileOptions.parse([name, "2G"]).apply(to: &settings)
        #expect(settings.maxSize == ByteCount(bytes: 2 << 30))
    }

    @Test func `is no limit when it is not given, and refuses what is no size`() throws {
        var settings = TransferSettings()
        try FileOptions.parse([]).apply(to: &settings)
        #expect(settings.maxSize == nil)
        #expect(throws: (any Error).self) { try FileOptions.parse(["--max-size", "big"]) }
    }
}
