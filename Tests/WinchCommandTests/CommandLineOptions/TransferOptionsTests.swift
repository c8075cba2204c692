import ArgumentParser
import TestSupport
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of transfers` {
    @Test func `set how many connections bring a file, and from which size on`() throws {
        var settings = TransferSettings()
        try TransferOptions.parse(["-s4", "--min-split-size", "2M"]).apply(to: &settings)
        expectEqual(settings.split, .atMost(4))
        expectEqual(settings.minSplitSize, ByteCount(bytes: 2 << 20))
        try TransferOptions.parse(["--split", "auto"]).apply(to: &settings)
        expectEqual(settings.split, .auto)
    }

    @Test(arguments: ["--split=0", "--split=17", "--split=some", "--min-split-size=big"])
    func `refuse what is no number of connections or bytes`(option: String) {
        #expect(throws: (any Error).self) { try TransferOptions.parse([option]) }
    }

    @Test func `set how often and after which wait an attempt is made again`() throws {
        var settings = TransferSettings()
        try TransferOptions.parse(["--max-tries", "0", "--retry-wait", "2.5"]).apply(to: &settings)
        expectEqual(settings.maxTries, 0)
        expectEqual(settings.retryWait, .milliseconds(2500))
    }

    @Test(arguments: ["--max-tries=-1", "--retry-wait=-1", "--retry-wait=soon"])
    func `refuse what is no number of tries or seconds`(option: String) {
        #expect(throws: (any Error).self) { try TransferOptions.parse([option]) }
    }

    @Test func `set when a connection or a transfer has taken too long`() throws {
        var settings = TransferSettings()
        let options = ["--timeout", "7", "--connect-timeout", "3", "--max-time", "60", "--lowest-speed", "1K"]
        try TransferOptions.parse(options).apply(to: &settings)
        expectEqual(settings.stallTimeout, .seconds(7))
        expectEqual(settings.connectTimeout, .seconds(3))
        expectEqual(settings.maxTime, .seconds(60))
        expectEqual(settings.lowestSpeed, ByteRate(perSecond: 1024))
    }

    @Test func `turn the lowest speed off with 0`() throws {
        var settings = TransferSettings()
        try TransferOptions.parse(["--lowest-speed", "0"]).apply(to: &settings)
        expectNil(settings.lowestSpeed)
    }

    @Test(arguments: ["--timeout=0", "--connect-timeout=0", "--max-time=0"])
    func `refuse no time at all`(option: String) {
        #expect(throws: (any Error).self) { try TransferOptions.parse([option]) }
    }

    @Test func `set the user's lines, the User-Agent and the Referer`() throws {
        var settings = TransferSettings()
        let options = ["--header", "X-A: 1", "--header", "X-B: 2", "--user-agent", "me/1", "--referer", "http://h/"]
        try TransferOptions.parse(options).apply(to: &settings)
        expectEqual(settings.headers, ["X-A: 1", "X-B: 2"])
        expectEqual(settings.userAgent, "me/1")
        expectEqual(settings.referer, "http://h/")
    }

    @Test(arguments: ["--header=no colon", "--user-agent=a\r\nX: 1", "--referer=a\nb"])
    func `refuse what would be another line`(option: String) {
        #expect(throws: (any Error).self) { try TransferOptions.parse([option]) }
    }
}
