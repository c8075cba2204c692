import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of files` {
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
}
