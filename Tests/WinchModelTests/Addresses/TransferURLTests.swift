import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A URL of a transfer` {
    @Test(arguments: ["h/../x", "h?q", "h#f", "u@h", "h\\x", "h x", "h\tx", ""])
    func `is moved to no host that is more than a host`(host: String) throws {
        try expectNil(TransferURL("sftp://box/a").moved(toHost: host, port: 22))
    }

    @Test func `is moved to another host`() throws {
        let url = try TransferURL("sftp://u@box/a")
        expectEqual(url.moved(toHost: "real.test", port: 2222)?.text, "sftp://real.test:2222/a")
        expectEqual(url.moved(toHost: "::1", port: 22)?.text, "sftp://[::1]:22/a")
    }

    @Test(arguments: [
        ("http://a.example/x", "a.example", "x"), ("HTTPS://A.Example:443/X/y", "a.example", "y"),
        ("http://a:80/", "a", ""), ("http://a:0080/", "a", ""), ("https://a:80/", "a:80", ""),
        ("ftp://a:21/f", "a", "f"),
        ("sftp://u@a:2222/f", "a:2222", "f"), ("http://a:08080/", "a:8080", ""), ("http://a:/x", "a", "x"),
        ("http://[::1]/x", "[::1]", "x"), ("http://[FE80::1]:8080/x", "[fe80::1]:8080", "x"),
        ("http://u:p@[::1]:80/x", "[::1]", "x"), ("http://user:p@ss@host/x", "host", "x"),
        ("http://a?q=/b@c", "a", ""), ("http://a#f/g", "a", ""), ("http://a/b?c=d/e", "a", "b"),
        ("http://a/b#c/d", "a", "b"), ("http://bücher.example/ü", "bücher.example", "%C3%BC"),
        // libcurl ends the host at the byte, whatever accent follows.
        ("http://good.example/\u{301}@evil.example/x", "good.example", "x"),
    ])
    func `has a host and a file name`(text: String, host: String, name: String) throws {
        let url = try TransferURL(text)
        expectEqual(url.hostAndPort, host)
        expect(url.lastPathComponent == name)
    }

    @Test(arguments: [
        ("http://h/100%.zip", "http://h/100%25.zip"), ("http://h/a%2", "http://h/a%252"),
        ("http://h/%zz?q=5%", "http://h/%25zz?q=5%25"), ("http://h/%C4%e3?a=%20", "http://h/%C4%e3?a=%20"),
        ("http://h/%%41", "http://h/%25%41"), ("http://h/a", "http://h/a"),
        ("http://al@ice:p@:w@h:81/a@b", "http://al%40ice:p%40:w@h:81/a@b"),
        ("http://me:pw@[::1]/", "http://me:pw@[::1]/"),
        ("http://h/@a@b", "http://h/@a@b"), ("ftp://me@x%@h/", "ftp://me%40x%25@h/"),
    ])
    func `is sent with what libcurl or a server would misread encoded`(text: String, sent: String) throws {
        try expectEqual(TransferURL(text).sentText, sent)
        try expectEqual(TransferURL(text).text, text)
    }

    @Test func `is kept as given except for the fragment and the case of the scheme`() throws {
        try expectEqual(TransferURL("HtTp://U:P@Host/A?b#c").text, "http://U:P@Host/A?b")
        try expectEqual(TransferURL("https://a/%41").text, "https://a/%41")
        try expectEqual(TransferURL("ftp://a/").scheme, .ftp)
        try expectEqual(TransferURL("SFTP://a/").scheme, .sftp)
    }

    /// The two forms of one accent are names of two files, but one text for Swift.
    @Test(arguments: [
        ("http://h/caf\u{E9}?q=\u{E9}", "http://h/caf%C3%A9?q=%C3%A9"), ("http://h/cafe\u{301}", "http://h/cafe%CC%81"),
        ("http://\u{E9}:\u{E9}@b\u{FC}cher.example:81/%C3%A9", "http://%C3%A9:%C3%A9@b\u{FC}cher.example:81/%C3%A9"),
    ])
    func `has codes for what is no ASCII, except in its host`(given: String, text: String) throws {
        try expectEqual(TransferURL(given).text, text)
        try expectEqual(TransferURL(text).text, text)
        let tooLong = given + String(repeating: "\u{E9}", count: 30_000)
        #expect(throws: TransferURL.Fault.tooLong) { try TransferURL(tooLong) }
    }

    @Test(arguments: [
        ("http://user:secret@host/x", "http://host/x"), ("http://host/a@b", "http://host/a@b"),
        ("http://u@host:81/?x=@y", "http://host:81/?x=@y"), ("http://host/x", "http://host/x"),
        ("ftp://a:b@c@d/e", "ftp://d/e"),
    ])
    func `is shown without its credentials`(text: String, shown: String) throws {
        try expectEqual(TransferURL(text).redacted, shown)
    }

    @Test(arguments: [
        "", "x", "/etc/passwd", "//host/x", "http:/host", "http//host", "file:///etc/passwd", "gopher://a/",
        "javascript:x",
        "http://", "http:///x", "http://?x", "http://#x", "http://:80/", "http://u@/", "http://[::1/", "http://[::1]x/",
        "http://a:b:80/", "http://a:0/", "http://a:65536/", "http://a:+80/", "http://a:8x/", "http://a:-1/",
        "http://a: /",
        "http://a/b c", "http://a/\n", "http://a/\u{7F}", "http://a/\u{0}", " http://a/", "x y://a/",
        "a.b/c?u=http://d",
    ])
    func `needs a known scheme, a host and a valid port`(text: String) {
        #expect(throws: TransferURL.Fault.self) { try TransferURL(text) }
    }

    @Test(arguments: [
        ("HTTP://A.Example/x", "http://a.example/x"), ("http://a:80/x", "http://a/x"), ("http://a/./x", "http://a/x"),
        ("http://a/b/../x", "http://a/x"), ("http://a/../x", "http://a/x"), ("http://a", "http://a/"),
        ("http://a?q", "http://a/?q"), ("http://a/x/.", "http://a/x/"), ("http://a/x/..", "http://a/"),
        ("https://U:P@A:443/X", "https://U:P@a/X"), ("http://[FE80::1]:80/", "http://[fe80::1]/"),
        ("http://a/x?b=/../c", "http://a/x?b=/../c"), ("http://a//x", "http://a//x"), ("http://a/.x", "http://a/.x"),
        ("ftp://a:21/x", "ftp://a/x"), ("http://a:8080/%2e%2E", "http://a:8080/%2e%2E"),
        ("http://a:08080/x", "http://a:8080/x"), ("http://a:/x", "http://a/x"),
        ("http://u@a:8080/x", "http://u@a:8080/x"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://[::1]:/x", "http://[::1]/x"),
        ("sftp://a:80/./x", "sftp://a:80/x"),
    ])
    func `has a normal form that is the same for equal URLs`(text: String, normal: String) throws {
        let url = try TransferURL(text)
        expectEqual(url.normal, normal)
        try expectEqual(TransferURL(normal).normal, normal)
    }

    @Test(arguments: [
        ("HTTP://A/%78%7e%2Db", "http://a/x~-b"), ("http://a/%c3%A4%2f%20?%78", "http://a/%C3%A4%2F%20?x"),
        ("http://a/%2e%7E", "http://a/.~"), ("http://a/%4", "http://a/%254"), ("http://a/%zz%", "http://a/%25zz%25"),
        ("http://a/x,y+!@:", "http://a/x%2Cy%2B%21%40%3A"), ("http://a/x/%2e/y/%2E./z", "http://a/x/z"),
        ("http://u:p@a:80/b", "http://a/b"), ("http://a:81", "http://a:81/"), ("http://a/b?", "http://a/b"),
        ("http://a//b", "http://a//b"), ("ftp://u@a:21/b;type=i", "ftp://a/b"),
        ("http://a/b;type=i", "http://a/b%3Btype%3Di"), ("http://localhost.:9/a", "http://localhost:9/a"),
        ("http://127.1:9/a", "http://127.0.0.1:9/a"), ("http://0x7f.0.0.01/a", "http://127.0.0.1/a"),
        ("http://2130706433/a", "http://127.0.0.1/a"), ("http://256.1/a", "http://256.1/a"),
        ("http://[::1]:9/a", "http://[::1]:9/a"), ("http://[0:0::1]/a", "http://[::1]/a"),
        ("http://[::FFFF:1.2.3.4]/", "http://[::ffff:1.2.3.4]/"), ("http://[::x]/", "http://[::x]/"),
        ("http://B\u{DC}CHER.example/a", "http://b\u{FC}cher.example/a"),
    ])
    func `has one place for all ways to write it`(text: String, place: String) throws {
        try expectEqual(TransferURL(text).place, place)
        try expectEqual(TransferURL(place).place, place)
    }

    @Test(arguments: [
        ("http://a/b c", "http://a/b%20c"), ("<http://a/x>", "http://a/x"), ("\"http://a/x\"", "http://a/x"),
        ("'http://a/b c'", "http://a/b%20c"), ("  http://a/x\t", "http://a/x"), ("<http://a/<b>>", "http://a/<b>"),
        ("http://a?q=b c d", "http://a?q=b%20c%20d"), ("http://a/b  c", "http://a/b%20%20c"),
        ("http://a/x  # see http://b/", "http://a/x"), ("<http://a/x> # y", "http://a/x"),
    ])
    func `is accepted as users type it`(typed: String, text: String) throws {
        try expectEqual(TransferURL(typed: typed).text, text)
    }

    @Test(arguments: [
        ("http://a b/x", "space or control character"), ("http://a/x http://b/x", "several URLs with spaces between"),
        ("www.example.org/x", "did you mean http://www.example.org/x?"), ("a b", "not a URL"), ("<>", "not a URL"),
        ("http://a/\u{1} b", "space or control character"), ("\"", "not a URL"),
    ])
    func `that cannot be used is reported with the reason`(typed: String, words: String) {
        do throws(TransferURL.Fault) {
            _ = try TransferURL(typed: typed)
            Issue.record("taken")
        } catch {
            expect(error.message.contains(words), "\(error.message)")
        }
    }

    @Test(arguments: ["http://me:pw/x@h/f", "http://me:pw?x@h/f", "http://me:pw#x@h/f", "http://me:p:1/x@h/f"])
    func `with an unencoded byte in its login is no URL with a bad port`(text: String) {
        #expect(throws: TransferURL.Fault.unencodedLogin) { try TransferURL(text) }
    }

    @Test(arguments: [
        "http://h:8080/@me/x", "http://h:8080/a:b@c", "http://h:/@me", "http://[::1]:80/@me", "http://h/a:b@c",
    ])
    func `may have an at sign in its path`(text: String) throws {
        try expectEqual(TransferURL(text).redacted, text)
        try expect(TransferURL(text).login == nil)
    }

    @Test func `is limited to 64 KiB`() throws {
        let most = "http://a/" + String(repeating: "x", count: 65_536 - 9)
        try expectEqual(TransferURL(most).text.utf8.count, 65_536)
        #expect(throws: TransferURL.Fault.tooLong) { try TransferURL(most + "x") }
    }

    @Test(arguments: [
        "http://user:secret@host/\u{1}b", "http://user:secret@/", "http://user:secret@host:99999/",
        "user:secret@host/a", "www.host/a?token=secret", "http://h/a http://user:secret@host/a",
        "http://me:secret/x@h/", "http://me:secret?x@h/", "http://me:secret#x@h/", "http://me:secret:1/x@h/",
        "http://me:secret /x@h/", "http://me:secr et@h:x/",
        "http://h/a\u{1}?token=secret", "host user:secret@host/a", "hxxp:/user:secret@host/a",
    ])
    func `that is invalid does not reveal its credentials in the message`(text: String) {
        do throws(TransferURL.Fault) {
            _ = try TransferURL(typed: text)
            Issue.record("taken")
        } catch {
            expect(!error.message.contains("secret"))
        }
    }
}

@Suite struct `The type in a URL of FTP` {
    @Test(arguments: [
        ("ftp://h/a.txt;type=i", "ftp://h/a.txt"), ("ftp://h/a;TYPE=A", "ftp://h/a"),
        ("ftp://h/a%3Btype=i", "ftp://h/a%3Btype=i"),
        ("http://h/a;type=i", "http://h/a;type=i"), ("sftp://h/a;type=i", "sftp://h/a;type=i"),
    ])
    func `is no part of the name`(text: String, without: String) throws {
        try expectEqual(TransferURL(text).withoutType.text, without)
    }
}

@Suite struct `The URL of a folder` {
    @Test(
        arguments: [
            ("http://h/pub", "http://h/pub/"), ("http://h/pub/", "http://h/pub/"), ("http://h", "http://h/"),
            ("ftp://h", "ftp://h/"), ("sftp://h/~/a", "sftp://h/~/a/"), ("ftp://h/a;b/", "ftp://h/a;b/"),
            ("ftp://h/a;type=d", nil), ("http://h/a?b", nil), ("http://h/a/?b=/", nil),
        ] as [(String, String?)])
    func `has one slash at its end`(text: String, folder: String?) throws {
        try expectEqual(TransferURL(text).asFolder?.text, folder)
    }
}

@Suite struct `A signed URL` {
    @Test(arguments: [
        "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=ab",
        "https://b.s3.amazonaws.com/k?AWSAccessKeyId=A&Expires=1&Signature=x%2By",
        "https://storage.googleapis.com/b/k?X-Goog-Signature=ab",
        "https://a.blob.core.windows.net/c/b?sv=1&sig=ab&se=1",
        "https://d.cloudfront.net/x?Expires=1&Signature=a&Key-Pair-Id=K", "http://h/x?token=ab&expires=17",
        "http://h/x?EXPIRES=17&TOKEN=ab", "http://h/x?md5=ab&expires=17", "http://h/x?x%2damz%2dsignature=ab",
        "http://h/x?st=ab&e=17", "http://h/x?q-signature=1", "http://h/x?a=b;sig=c",
    ])
    func `is recognised by its query`(text: String) throws {
        try expect(TransferURL(text).isSigned)
    }

    @Test(arguments: [
        "http://h/x", "http://h/x?", "http://h/x?a=signature", "http://h/signature?version=2", "http://h/x?token=ab",
        "http://h/x?expires=17", "http://h/x?design=a", "http://h/x#?sig=a", "http://h/x?=sig",
    ])
    func `is not seen where there is none`(text: String) throws {
        try expect(!TransferURL(text).isSigned)
    }
}

@Suite struct `A URL that is shown` {
    @Test(arguments: [
        ("https://b/k?X-Amz-Date=1&X-Amz-Signature=ab%2Bc&v=2", "https://b/k?X-Amz-Date=1&X-Amz-Signature=***&v=2"),
        ("http://h/x?TOKEN=ab=c;a=1;k%65y=z", "http://h/x?TOKEN=***;a=1;k%65y=***"),
        ("http://h/x?sig=a#part", "http://h/x?sig=***#part"),
        ("http://h/x?sig=a is not secured", "http://h/x?sig=*** is not secured"),
        ("http://h/sig=a", "http://h/sig=a"), ("http://h/x?sig", "http://h/x?sig"), ("http://h/x?", "http://h/x?"),
        ("http://h/x?design=a&&b=sig=c&=d", "http://h/x?design=a&&b=sig=c&=d"),
        // As in `isSigned`.
        ("http://h/x?md5=ab&expires=17", "http://h/x?md5=***&expires=17"), ("http://h/x?md5=ab", "http://h/x?md5=ab"),
        ("http://h/x?private_token=a", "http://h/x?private_token=***"),
        ("http://h/x?refresh_token=a&oauth_token=b", "http://h/x?refresh_token=***&oauth_token=***"),
        ("http://h/x?JSESSIONID=a&client-secret=b", "http://h/x?JSESSIONID=***&client-secret=***"),
        ("http://h/x?X-Amz-Credential=a&code=b&sid=c", "http://h/x?X-Amz-Credential=***&code=***&sid=***"),
        ("http://h/x?zipcode=1&sortkey=a&sessions=2", "http://h/x?zipcode=1&sortkey=a&sessions=2"),
        ("http://h/x#access_token=a&page=2", "http://h/x#access_token=***&page=2"),
        ("http://h/x?a=1 http://h/y?sig=b", "http://h/x?a=1 http://h/y?sig=***"),
    ])
    func `has no signature, token or password in its query`(text: String, shown: String) {
        expectEqual(TransferURL.withoutSecrets(text), shown)
    }
}

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
        expectEqual(mirror.isMirror(of: origin, allowsDowngrade: false), isAllowed)
    }

    @Test func `may be less secure if the user allows it`() throws {
        let (origin, mirror) = (try TransferURL("https://h/a"), try TransferURL("http://m/a"))
        expect(mirror.isMirror(of: origin, allowsDowngrade: true))
    }
}

@Suite struct `The address of a proxy` {
    @Test(arguments: [
        "", "p", "p:3128", "http://p:3128/", "socks5h://u:p@p:1080", "u:p:w@p:1", "http://u:a%2Fb@[::1]:1", "HTTP://p",
        "socks://p:1080/",
    ])
    func `has a host, and may have a port and a login`(text: String) throws {
        try expectEqual(ProxyAddress.reading(text), text)
    }

    @Test(arguments: [
        "http://u:secret/x@p:1", "u:secret/x@p:1", "u:1/secret@p:1", "http://u:secret?@p", "u:secret#@p",
        "u:p@p:secret", "http://u:secret@",
    ])
    func `that is malformed is reported without its text`(text: String) {
        let error = #expect(throws: InvalidValue.self) { try ProxyAddress.reading(text) }
        expectEqual(error?.message, "malformed; \(ProxyAddress.form)")
    }

    @Test(arguments: ["foo://p:1", "socks9://u:secret@p:1", "ftp://p", "://p"])
    func `with an unknown scheme is reported without its text`(text: String) {
        let error = #expect(throws: InvalidValue.self) { try ProxyAddress.reading(text) }
        expectEqual(error?.message, ProxyAddress.unknownScheme)
    }
}
