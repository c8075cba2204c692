import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The option of the largest file` {
    @Test(arguments: ["--max-size", "--max-filesize"])
    func `sets the size above which a file is refused`(name: String) throws {
        var settings = TransferSettings()
        try SizeLimitOption.parse([name, "2G"]).apply(to: &settings)
        #expect(settings.maxSize == ByteCount(bytes: 2 << 30))
    }

    @Test func `is no limit when it is not given, and refuses what is no size`() throws {
        var settings = TransferSettings()
        try SizeLimitOption.parse([]).apply(to: &settings)
        #expect(settings.maxSize == nil)
        #expect(throws: (any Error).self) { try SizeLimitOption.parse(["--max-size", "big"]) }
    }
}
