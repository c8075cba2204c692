import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of existing files` {
    @Test(arguments: NameConflict.allCases)
    func `set what happens to a file of the name`(way: NameConflict) throws {
        var settings = TransferSettings()
        try ExistingFileOptions.parse(["--on-conflict", way.rawValue]).apply(to: &settings)
        #expect(settings.onConflict == way)
    }

    @Test(arguments: FileChange.allCases)
    func `set what happens when the remote file has changed`(way: FileChange) throws {
        var settings = TransferSettings()
        try ExistingFileOptions.parse(["--on-change", way.rawValue]).apply(to: &settings)
        #expect(settings.onChange == way)
    }

    @Test(
        arguments: [("none", .none), ("trunc", .none), ("falloc", .falloc), ("prealloc", .falloc)]
            as [(String, FileAllocation)])
    func `take the names that aria2 has for reserving space`(word: String, way: FileAllocation) throws {
        var settings = TransferSettings()
        try ExistingFileOptions.parse(["--file-allocation", word]).apply(to: &settings)
        #expect(settings.fileAllocation == way)
    }

    @Test(arguments: ["--on-conflict=ask-me", "--on-change=never", "--file-allocation=some"])
    func `refuse another way`(option: String) {
        #expect(throws: (any Error).self) { try ExistingFileOptions.parse([option]) }
    }
}
