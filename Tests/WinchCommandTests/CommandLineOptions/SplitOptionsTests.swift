import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of split files` {
    @Test func `set how many connections bring a file, and from which size on`() throws {
        var settings = TransferSettings()
        try SplitOptions.parse(["-s4", "--min-split-size", "2M"]).apply(to: &settings)
        #expect(settings.split == .atMost(4))
        #expect(settings.minSplitSize == ByteCount(bytes: 2 << 20))
        try SplitOptions.parse(["--split", "auto"]).apply(to: &settings)
        #expect(settings.split == .auto)
    }

    @Test(arguments: ["--split=0", "--split=17", "--split=some", "--min-split-size=big"])
    func `refuse what is no number of connections or bytes`(option: String) {
        #expect(throws: (any Error).self) { try SplitOptions.parse([option]) }
    }
}
