import ArgumentParser
import Testing

@testable import WinchModel
@testable import winch

@Suite struct `The options of request headers` {
    @Test func `set the user's lines, the User-Agent and the Referer`() throws {
        var settings = TransferSettings()
        let options = ["--header", "X-A: 1", "--header", "X-B: 2", "--user-agent", "me/1", "--referer", "http://h/"]
        try RequestHeaderOptions.parse(options).apply(to: &settings)
        #expect(settings.headers == ["X-A: 1", "X-B: 2"])
        #expect(settings.userAgent == "me/1")
        #expect(settings.referer == "http://h/")
    }

    @Test(arguments: ["--header=no colon", "--user-agent=a\r\nX: 1", "--referer=a\nb"])
    func `refuse what would be another line`(option: String) {
        #expect(throws: (any Error).self) { try RequestHeaderOptions.parse([option]) }
    }
}
