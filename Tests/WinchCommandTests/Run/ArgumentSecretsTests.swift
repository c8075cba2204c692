import TestSupport
import Testing

@testable import winch

@Suite struct `A command line's secrets` {
    /// The command line as other users see it, with `*` in place of the secrets.
    private func shown(_ arguments: [String]) -> [String] {
        var bytes = arguments.map { Array($0.utf8) }
        for span in ArgumentSecrets.all(in: arguments) {
            for place in span.bytes { bytes[span.argument][place] = UInt8(ascii: "*") }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            (["http://me:pw@h/x"], ["http://*****@h/x"]), (["--password", "pw"], ["--password", "**"]),
            (["--password=pw"], ["--password=**"]), (["--http-passwd", "é"], ["--http-passwd", "**"]),
            (["--header", "Authorization: x"], ["--header", "Authorization:**"]),
            (["--header=Cookie: a"], ["--header=Cookie:**"]), (["--proxy", "me:pw@h:1"], ["--proxy", "*****@h:1"]),
            (["--https-proxy", "me:pw@h:1"], ["--https-proxy", "*****@h:1"]),
            (["--all-proxy=http://a@b@h"], ["--all-proxy=http://***@h"]),
            (["https://h/a@b", "-o", "x@y", "--user", "me"], ["https://h/a@b", "-o", "x@y", "--user", "me"]),
            (["--exit", "http://h/?u=http://a:b@c/"], ["--exit", "http://h/?u=http://a:b@c/"]),
            (["--hold", "ftp://me:pw@h/x"], ["--hold", "ftp://*****@h/x"]),
            (["--hold", "--password", "pw"], ["--hold", "--password", "**"]),
            (["--hold", "-u", "me:pw"], ["--hold", "-u", "*****"]), (["--hold", "-Fa=b"], ["--hold", "-Fa=*"]),
            (["--password", "--pw"], ["--password", "****"]), (["--password"], ["--password"]), ([], []),
            (["--password", ""], ["--password", ""]),
            (["-u", "me:pw"], ["-u", "*****"]), (["-ume:pw"], ["-u*****"]), (["-HCookie: a"], ["-HCookie:**"]),
            (["-H", "Cookie: a"], ["-H", "Cookie:**"]), (["--http-password=pw"], ["--http-password=**"]),
            (["--referer", "http://me:pw@h/"], ["--referer", "http://*****@h/"]),
            (["http://me:pw@h/x?token=ab&a=1&sig=c"], ["http://*****@h/x?token=**&a=1&sig=*"]),
            (["--user", "me:pw"], ["--user", "me:**"]), (["--http-user=me:pw"], ["--http-user=me:**"]),
            (["--proxy", "http://u:p/w@x:1"], ["--proxy", "http://*****@x:1"]),
            (["http://me:p/w@h/x"], ["http://******@h/x"]), (["http://h:80/@me"], ["http://h:80/@me"]),
            (["-fsSLH", "X: a"], ["-fsSLH", "X:**"]), (["-fsSLHX: a"], ["-fsSLHX:**"]), (["-F", "ab"], ["-F", "**"]),
            (["http://h/x#access_token=ab"], ["http://h/x#access_token=**"]),
            (["-F", "token=ab=c"], ["-F", "token=****"]), (["-Fa=b"], ["-Fa=*"]),
            (["--form", "a=b"], ["--form", "a=*"]),
            (["--form=a=b"], ["--form=a=*"]), (["-F", "a=@file"], ["-F", "a=@file"]), (["-F", "a="], ["-F", "a="]),
            (["--sums=https://h/s?key=a"], ["--sums=https://h/s?key=*"]), (["-o", "a?key=b"], ["-o", "a?key=b"]),
        ] as [([String], [String])])
    func `are masked, and nothing else is`(arguments: [String], others: [String]) {
        expectEqual(shown(arguments), others)
    }
}
