import Testing

@testable import WinchModel

@Suite struct `A mirror that a server names` {
    @Test(
        arguments: [
            ("http://h/a", "http://m/a", true), ("http://h/a", "ftp://m/a", true), ("https://h/a", "https://m/a", true),
            ("http://h/a", "https://m/a", true), ("https://h/a", "http://m/a", false),
            ("https://h/a", "ftp://m/a", false), ("https://h/a", "ftps://m/a", true),
            ("http://h/a", "sftp://m/a", false),
            ("http://h/a", "http://u:p@m/a", false),
        ])
    func `is as secure as the given URL and has no login`(origin: String, mirror: String, isAllowed: Bool) throws {
        let (origin, mirror) = (try TransferURL(origin), try TransferURL(mirror))
        #expect(mirror.isMirror(of: origin, allowsDowngrade: false) == isAllowed)
    }

    @Test func `may be less secure if the user allows it`() throws {
        let (origin, mirror) = (try TransferURL("https://h/a"), try TransferURL("http://m/a"))
        #expect(mirror.isMirror(of: origin, allowsDowngrade: true))
    }
}
