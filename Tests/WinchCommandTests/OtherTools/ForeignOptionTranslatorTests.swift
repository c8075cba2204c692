import ArgumentParser
import TestSupport
import Testing
import WinchModel

@testable import winch

@Suite struct `An option of curl, wget or aria2` {
    private func translated(_ arguments: [String]) throws -> ForeignOptionTranslator {
        try ForeignOptionTranslator(arguments)
    }

    @Test(
        arguments: [
            (["-x16"], ["--per-host=16"]), (["-x", "16", "http://h/"], ["--per-host", "16", "http://h/"]),
            (["-q"], ["--output", "quiet"]), (["--quiet=true"], ["--output", "quiet"]), (["-V"], ["--version"]),
            (["-k1M"], ["--min-split-size=1M"]), (["-s", "auto"], ["-s", "auto"]),
            (["-nc"], ["--on-conflict", "skip"]), (["-O", "a.iso"], ["--out", "a.iso"]),
            (["-O", "-"], ["--out", "-"]),
            (["--output-document=a"], ["--out=a"]), (["--tries=3"], ["--max-tries=3"]),
            (["-H", "A: b"], ["--header", "A: b"]), (["-HA: b"], ["--header=A: b"]),
            (["--allow-overwrite=true"], ["--on-conflict", "overwrite"]),
            (["--auto-file-renaming=false"], ["--on-conflict", "fail"]),
            (["--allow-overwrite=false"], ["--on-conflict", "rename"]),
            (["--auto-file-renaming=true", "--", "-c"], ["--on-conflict", "rename", "--", "-c"]),
            (["--allow-overwrite", "u", "--auto-file-renaming=false"], ["--on-conflict", "overwrite", "u"]),
            (["--auto-file-renaming=false", "--allow-overwrite=false"], ["--on-conflict", "fail"]),
            (["--url=http://h/"], ["http://h/"]), (["--check-certificate=true"], ["--no-insecure"]),
            // The parser takes a value that begins with a dash only behind an equals sign.
            (["--http-password=-pw"], ["--password=-pw"]), (["--ftp-passwd", "-pw"], ["--password=-pw"]),
            (["--ftp-password="], ["--password", ""]),
            (["--mirror", "http://h/"], ["--recursive", "http://h/"]), (["-l2", "-r"], ["--depth=2", "-r"]),
            (["--level", "3"], ["--depth", "3"]), (["--reject", "tmp"], ["--exclude", "*tmp"]),
            (
                ["--accept", "iso", "-r", "--accept", "img"],
                ["--exclude", "*", "--include", "*iso", "--include", "*img", "-r"]
            ),
            (
                ["--reject", "tmp.iso", "--allow-overwrite", "--accept", "iso"],
                ["--exclude", "*", "--include", "*iso", "--exclude", "*tmp.iso", "--on-conflict", "overwrite"]
            ),
            (["-A", "me", "-e", "http://h/"], ["--user-agent", "me", "--referer", "http://h/"]),
            (["--http-proxy=http://p/", "--https-proxy", "http://p/"], ["--proxy=http://p/", "--proxy", "http://p/"]),
            (["--accept=jpg,a*.png"], ["--exclude", "*", "--include", "*jpg", "--include", "a*.png"]),
        ] as [([String], [String])])
    func `is translated to Winch's own where there is one`(given: [String], own: [String]) throws {
        let foreign = try translated(given)
        expectEqual(foreign.arguments, own)
        expectEqual(foreign.notices, [])
    }

    @Test(
        arguments: [
            (["-c", "http://h/"], "-c has no effect: partial downloads are always resumed"),
            (["--continue=true", "http://h/"], "--continue has no effect: partial downloads are always resumed"),
            (["-Z", "http://h/"], "-Z has no effect: several URLs are several files"),
            (["-O", "http://h/"], "-O has no effect: the name that the server gives is used"),
            (["-L", "http://h/"], "-L has no effect: redirects are followed"),
            (["-C", "-", "http://h/"], "-C has no effect: partial downloads are always resumed"),
            (["-np", "http://h/"], "-np has no effect: of a folder (-r) only what is below it is downloaded"),
            (["-l", "inf", "http://h/"], "-l has no effect: all levels are downloaded"),
            (
                ["--cut-dirs", "2", "http://h/"],
                "--cut-dirs has no effect: a folder (-r) becomes one folder below --dir"
            ),
            (["--disk-cache=none", "http://h/"], "--disk-cache has no effect: it has no meaning here"),
            (["--disk-cache", "none", "http://h/"], "--disk-cache has no effect: it has no meaning here"),
            (["--gid", "2089b05ecca3d829", "http://h/"], "--gid has no effect: it has no meaning here"),
            (["--bt-anything", "http://h/"], "--bt-anything has no effect: it has no meaning here"),
            (["--rpc-anything=1", "http://h/"], "--rpc-anything has no effect: it has no meaning here"),
        ] as [([String], String)])
    func `without effect is dropped with a single notice`(given: [String], notice: String) throws {
        let foreign = try translated(given + given)
        expectEqual(foreign.arguments, ["http://h/", "http://h/"])
        expectEqual(foreign.notices, [notice])
    }

    @Test func `may be combined with others in one argument`() throws {
        let foreign = try translated(["-fsSL", "http://h/"])
        expectEqual(foreign.arguments, ["--output", "quiet", "http://h/"])
        expectEqual(foreign.notices.count, 3)
    }

    @Test(arguments: [
        (["-fsSLH", "X: a"], ["--output", "quiet", "--header", "X: a"]),
        (["-fsSLHX: a"], ["--output", "quiet", "--header=X: a"]), (["-LH", "X: a"], ["--header", "X: a"]),
    ])
    func `may be combined with one that has a value`(given: [String], arguments: [String]) throws {
        try expectEqual(translated(given).arguments, arguments)
    }

    @Test(
        arguments: [
            (["-k", "http://h/"], "-k is curl's; here: --insecure"), (["-P", "d"], "-P is wget's; here: -d DIR"),
            (["-x", "http://p/"], "-x is curl's; here: --proxy URL"),
            (["-u", "me:pw"], "-u is curl's; here: --user NAME --password TEXT"),
            (["-s", "http://h/"], "-s is the number of connections here; for no output: --output quiet"),
            (["--no-check-certificate"], "--no-check-certificate is --insecure here"),
            (["--dry-run"], "--dry-run is not supported: winch check FILE checks a batch file and downloads nothing"),
            (["-l", "log"], "-l is aria2's; here: --log FILE"),
            (
                ["-A", "iso", "-r", "http://h/"],
                "-A is --user-agent here; for the files of a folder: --accept LIST or --include GLOB"
            ),
            (["-e", "robots=off"], "-e is curl's --referer URL here, not a command of .wgetrc"),
            (
                ["--http-proxy=http://p/", "--https-proxy", "http://q/"],
                "--https-proxy is --proxy here, for all schemes; for several set http_proxy, https_proxy and ftp_proxy"
            ),
            (["--interface=tun9"], "--interface is not supported: the system chooses the network interface"),
            (
                ["--min-tls-version=TLSv1.3"],
                "--min-tls-version is not supported: libcurl and OpenSSL choose the oldest version of TLS"
            ),
            (
                ["--no-proxy", "http://h/"],
                "--no-proxy is --proxy '' here; for some hosts only: no_proxy=HOST,... in the environment"
            ),
            (["--allow-overwrite=flase"], "--allow-overwrite must be true or false"),
        ] as [([String], String)])
    func `with a different meaning here is refused with Winch's equivalent`(given: [String], words: String) throws {
        let error = #expect(throws: ValidationError.self) { try translated(given) }
        expectEqual(error?.message, words)
    }

    @Test(arguments: [
        ["-j16", "http://h/"], ["--", "-c", "-q"], ["--exit", "--no-mouse"], ["--frobnicate", "-y"],
        ["-i", "-", "-s", "4"], ["--out", "--exit", "http://h/"], ["-d", "-j", "3"], ["--password=--quiet"],
    ])
    func `is not searched for among Winch's own options and their values`(given: [String]) throws {
        try expectEqual(translated(given).arguments, given)
    }

    @Test(
        arguments: [
            (["-d", "-q", "http://h/"], ["--dir=-q", "http://h/"]), (["--header", "-c"], ["--header=-c"]),
            (["-o", "-V"], ["--out=-V"]), (["--password", "--quiet"], ["--password=--quiet"]),
            (["--jobs", "-1"], ["--jobs=-1"]), (["--on-done="], ["--on-done", ""]),
        ] as [([String], [String])])
    func `is not what an option of Winch has as its value`(given: [String], read: [String]) throws {
        let foreign = try translated(given)
        expectEqual(foreign.arguments, read)
        expectEqual(foreign.notices, [])
    }

    @Test func `is reported together with the settings`() throws {
        let sources = try SettingSources(arguments: ["--no-config", "-x16", "-c", "-s", "8"], environment: [:])
        expectEqual(sources.command.queue.perHost, 16)
        expectEqual(
            sources.notices,
            [
                "-c has no effect: partial downloads are always resumed"
            ])
        expectEqual(sources.command.transfer.split, .atMost(8))
    }
}
