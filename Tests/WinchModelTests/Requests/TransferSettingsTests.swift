import TestSupport
import Testing

@testable import WinchModel

@Suite struct `What the user entrusts to one origin` {
    /// The proxy's is sent to the proxy only.
    private static let harmless = ["Accept: a/b", "user-agent: me", "Proxy-Authorization: p"]

    private static func settings() -> Shared<TransferSettings> {
        var settings = TransferSettings()
        (settings.user, settings.password, settings.certificateFile) = ("u", "p", "c.pem")
        settings.headers = [
            "Accept: a/b", "X-Api-Key: k", "PRIVATE-TOKEN: t", "authorization : x", "Cookie: a=b", "user-agent: me",
            "Proxy-Authorization: p",
        ]
        settings.cookieFile = "cookies.txt"
        return Shared(settings)
    }

    @Test(
        arguments: [
            ("https://h/a", "https://h/b", true), ("https://h/a", "https://H:443/b", true),
            ("http://h:80/a", "http://h/b", true), ("https://h/a", "http://h/b", false),
            ("http://h/a", "https://h/b", false), ("https://h/a", "ftp://h/b", false),
            ("https://h:8443/a", "http://h:8443/b", false), ("ftp://h/a", "ftps://h/b", false),
            ("https://h/a", "https://h:8443/b", false), ("https://h/a", "https://h.example/b", false),
            ("https://u:p@h/a", "https://h/b", true),
        ])
    func `is sent to no other`(given: String, named: String, isSent: Bool) throws {
        let (given, named) = (try TransferURL(given), try TransferURL(named))
        let sent = Self.settings().sent(to: named, namedBy: given).value
        expect((sent.user != nil, sent.password != nil, sent.certificateFile != nil) == (isSent, isSent, isSent))
        expect(sent.headers == (isSent ? Self.settings().value.headers : Self.harmless))
        // Its cookies name their own hosts.
        expectEqual(sent.cookieFile, "cookies.txt")
        // Nor to one that is named by what another origin has answered.
        let back = Self.settings().sent(to: named, namedBy: given).sent(to: given, namedBy: named)
        expect(back.value.user == (isSent ? "u" : nil))
    }

    @Test(
        arguments: [
            ("https://h/a", "u", "p"), ("https://c:x@h/a", "c", "x"), ("https://c@h/a", "c", nil),
            ("https://u@h/a", "u", "p"), ("https://u:x@h/a", "u", "x"),
        ] as [(String, String, String?)])
    func `is the login of a URL that has one`(url: String, user: String, password: String?) throws {
        let sent = try Self.settings().sent(to: TransferURL(url)).value
        expectEqual([sent.user, sent.password], [user, password])
    }

    @Test func `is sent to all URLs that the user gave, and to no mirror that a server names`() throws {
        let given = try ["https://a/f", "https://b/f"].map { try TransferURL($0) }
        let limited = Self.settings().keepingLogin(at: given)
        for url in given { expect(limited.sent(to: url) === limited) }
        expectNil(limited.sent(to: try TransferURL("https://c/f")).value.user)
        expect(limited.keepingLogin(at: [try TransferURL("https://c/f")]) === limited)
        // Until the user gives it.
        let more = limited.givingLogin(to: try TransferURL("https://c/g"))
        for url in given + [try TransferURL("https://c/f")] { expectEqual(more.sent(to: url).value.user, "u") }
    }

    @Test func `is the login of netrc as well, unless its host is reached over TLS`() throws {
        var settings = TransferSettings()
        settings.usesNetrc = true
        let start = try TransferURL("https://h/a")
        for (url, isUsed) in [("http://h/a", false), ("https://other/a", true), ("ftp://other/a", false)] {
            expectEqual(Shared(settings).sent(to: try TransferURL(url), namedBy: start).value.usesNetrc, isUsed)
        }
    }

    @Test(
        arguments: [
            ("https://h/page?t=1", "https://h/b", "https://h/page?t=1"),
            ("https://x/page?t=1", "https://h/b", "https://x/page?t=1"),
            ("https://x/page?t=1", "https://other/b", "https://x/"), ("https://x/page?t=1", "http://other/b", nil),
            ("http://u:p@x:80/page", "http://other/b", "http://x/"),
            ("https://x/page?t=1", "https://x/b", "https://x/page?t=1"),
            ("x/page", "https://other/b", nil), ("ftp://x/page", "https://other/b", nil),
        ] as [(String, String, String?)])
    func `is the address of the referring page as well, but for its origin`(page: String, named: String, sent: String?)
        throws
    {
        var settings = TransferSettings()
        settings.referer = page
        let (url, start) = (try TransferURL(named), try TransferURL("https://h/a"))
        expectEqual(Shared(settings).sent(to: url, namedBy: start).value.referer, sent)
    }

    /// The rule of a redirect, of the Metalink that describes a file, and of the removal of a tus upload.
    @Test(
        arguments: [
            ("https://h/b", "a"), ("https://h:444/b", nil), ("http://h/b", nil), ("https://x:y@h/b", nil),
        ] as [(String, String?)])
    func `is the login in the URL as well`(named: String, user: String?) throws {
        let given = try TransferURL("https://a:s%33cret@h/a")
        let sent = Shared(TransferSettings()).sent(to: try TransferURL(named), namedBy: given).value
        expect(sent.user == user && sent.password == (user == nil ? nil : "s3cret"))
    }

    @Test func `costs nothing where there is none`() throws {
        var settings = TransferSettings()
        settings.headers = ["Accept: a/b"]
        let plain = Shared(settings)
        expect(plain.sent(to: try TransferURL("http://x/a"), namedBy: try TransferURL("http://h/a")) === plain)
    }
}

@Suite struct `A server's words` {
    @Test(arguments: [
        ("ftp://h/f", "alice's abc, not abcd", "alice's ***, not ***d"),
        ("ftp://bob:s%33cret@h/f", "bob s3cret", "bob ***"),
        ("ftp://bob:@h/f", "bob", "bob"),
    ])
    func `show no password`(url: String, words: String, shown: String) throws {
        var settings = TransferSettings()
        (settings.user, settings.password) = ("alice", "abc")
        try expectEqual(settings.withoutLogin(words, at: TransferURL(url)), shown)
    }

    @Test func `show no user name that was typed`() throws {
        let url = try TransferURL("ftp://h/f")
        let settings = Shared(TransferSettings()).loggingIn("al", Secret("alice"), at: url)
        expectEqual(settings.value.withoutLogin("no al, alice", at: url), "no ***, ***")
    }
}

@Suite struct `A bound of connections for one file` {
    @Test(
        arguments: [("auto", .auto), ("AUTO", .auto), ("1", .atMost(1)), ("16", .atMost(16))] as [(String, SplitLimit)])
    func `is auto or a number`(text: String, expected: SplitLimit) throws {
        try expectEqual(SplitLimit(reading: text), expected)
        expectEqual(expected.text, text.lowercased())
    }

    @Test(arguments: ["", "0", "17", "-1", "many", "4.5", "99999999999999999999"])
    func `is nothing else`(text: String) {
        #expect(throws: InvalidValue.self) { try SplitLimit(reading: text) }
    }

    @Test func `is at most eight connections by itself`() {
        expectEqual(SplitLimit.auto.connections, 8)
        expectEqual(SplitLimit.atMost(100).connections, 16)
        expectEqual(SplitLimit.atMost(0).connections, 1)
    }
}
