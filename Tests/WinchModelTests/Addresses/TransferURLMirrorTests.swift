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

    @Test func `does not get the login`() throws {
        var settings = TransferSettings()
        settings.headers = ["X: y"]
        let plain = Shared(settings)
        #expect(plain.keepingLogin(at: [try TransferURL("http://h/a")]) === plain)
        (settings.user, settings.password) = ("u", "p")
        settings.headers += ["authorization : x", "Cookie: a=b"]
        let limited = Shared(settings).keepingLogin(at: [try TransferURL("http://h/a")])
        #expect(limited.sent(to: try TransferURL("http://h/b")) === limited)
        let sent = limited.sent(to: try TransferURL("http://h:8080/a")).value
        #expect((sent.user, sent.password) == (nil, nil))
        #expect(sent.headers == ["X: y"])
    }
}
