import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of timeouts` {
    @Test func `set when a connection or a transfer has taken too long`() throws {
        var settings = TransferSettings()
        let options = ["--timeout", "7", "--connect-timeout", "3", "--max-time", "60", "--lowest-speed", "1K"]
        try TimeoutOptions.parse(options).apply(to: &settings)
        #expect(settings.stallTimeout == .seconds(7))
        #expect(settings.connectTimeout == .seconds(3))
        #expect(settings.maxTime == .seconds(60))
        #expect(settings.lowestSpeed == ByteRate(perSecond: 1024))
    }

    @Test func `turn the lowest speed off with 0`() throws {
        var settings = TransferSettings()
        try TimeoutOptions.parse(["--lowest-speed", "0"]).apply(to: &settings)
        #expect(settings.lowestSpeed == nil)
    }

    @Test(arguments: ["--timeout=0", "--connect-timeout=0", "--max-time=0"])
    func `refuse no time at all`(option: String) {
        #expect(throws: (any Error).self) { try TimeoutOptions.parse([option]) }
    }
}
