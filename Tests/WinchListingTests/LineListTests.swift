import TestSupport
import Testing
import WinchModel

@testable import WinchListing

/// 2024-01-20 12:00 UTC.
private let now: Int64 = 1_705_752_000

private func entries(
    _ parser: some ListingParser, _ text: [UInt8], nextPart: () -> Int = { .max }
) throws -> [ListedEntry] {
    let (entries, end) = try parser.result(of: text, nextPart: nextPart)
    expectEqual(end, .complete)
    return entries
}

/// The seconds of the only entry's time.
private func time(_ parser: some ListingParser, _ text: String) throws -> ListedTime? {
    let found = try entries(parser, Array(text.utf8))
    expectEqual(found.count, 1, "\(text)")
    return found.first?.version.time
}

@Suite struct `The list of MLSD` {
    @Test(
        arguments: [
            ("type=file;size=1024;modify=20240105123456; a b", ["file 'a b' 1024"]),
            ("TYPE=File;Size=5; a\r\ntype=DIR;sizd=4096; sub\r\n", ["file 'a' 5", "folder 'sub' -"]),
            // The name is all after the first blank.
            ("type=file;size=0;  a; b=c \n", ["file ' a; b=c ' 0"]),
            // The folder itself and its parent, which some servers name otherwise.
            ("type=cdir; /pub\ntype=pdir; /\ntype=cdir; ./\ntype=dir; .\ntype=dir; ..\n", []),
            ("type=OS.unix=slink:/a b;size=4; link\n", ["link 'link' -"]),
            ("type=OS.unix=symlink;unix.mode=0777; link\n", ["link 'link' -"]),
            ("type=OS.unix=chr-13/29; null\ntype=OS.unix=socket; s\n", []),
            // Without a type, or any fact.
            ("size=7; a\n b\n", ["file 'a' 7", "file 'b' -"]),
            ("type=file;size=99999999999999999999; a\ntype=file;size=-1; b\n", ["file 'a' -", "file 'b' -"]),
            // A name with ends of lines, and what a server says before and after its list.
            ("type=file; a\nb c\n\ntype=file; d\n", ["file 'a\nb c\n' -", "file 'd' -"]),
            ("hello\n\ntype=file; a\r\n\r\n", ["file 'a' -"]),
            ("", []),
        ] as [(String, [String])])
    func `names files, folders and links`(text: String, expected: [String]) throws {
        expectEqual(try MachineList().summaries(text), expected, "\(text)")
    }

    @Test func `gives times in UTC`() throws {
        let expected = ListedTime(seconds: 1_704_458_096, precision: .second, isZoned: true)
        expectEqual(try time(MachineList(), "type=file;MODIFY=20240105123456.789; a"), expected)
    }

    @Test(arguments: ["500 Unknown command\r\n", "<html>\n", "nothing"])
    func `is none in another form`(text: String) {
        #expect(throws: ListingFault.self) { try MachineList().summaries(text) }
    }
}

@Suite struct `The list of LIST` {
    @Test(
        arguments: [
            ("total 12\n-rw-r--r--    1 ftp      ftp          1024 Jan  5 12:34 a b\n", ["file 'a b' 1024"]),
            ("insgesamt 0\n", []),
            ("", []),
            // All after one blank is the name.
            ("-rw-r--r-- 1 u g 7 Jan  5  2024  lead and end ", ["file ' lead and end ' 7"]),
            ("drwxr-xr-x 2 u g 4096 Jan  5 12:34 .\ndrwxr-xr-x 2 u g 4096 Jan  5 12:34 ..\n", []),
            ("drwxr-xr-x+ 2 0 0 4096 Jan  5 12:34 sub", ["folder 'sub' -"]),
            ("-rw-r--r--. 1 0 0 1 Jan  5 12:34 f", ["file 'f' 1"]),
            ("-rw-******    1 -        -           52052 Dec 21 09:56 ntuser.pol", ["file 'ntuser.pol' 52052"]),
            ("drwxr-xr-x    ? 0        0            4096 Jan  5 12:34 sub", ["folder 'sub' -"]),
            ("-rw-r--r-- 1 owner 1024 Jan 5 12:34 no group", ["file 'no group' 1024"]),
            ("-rw-r--r-- 1 Domain Users Some Group 1024 Jan 5 12:34 f", ["file 'f' 1024"]),
            ("-rw-r--r-- 1 ftp 12 2024 Jan 5 12:34 f", ["file 'f' 2024"]),
            ("-rw-r--r-- 1 1000 12 2024 Jan 5 12:34 f 3 Feb 6 12:34 g", ["file 'f 3 Feb 6 12:34 g' 2024"]),
            ("-rw-r--r-- 1 u g 1234567890123 Jan 5 12:34 f", ["file 'f' 1234567890123"]),
            ("-rw-r--r-- 1 u g 1.2M Jan 5 12:34 f", ["file 'f' ~1258291"]),
            ("brw-rw---- 1 root disk 8, 0 Jan 5 12:34 sda\nprw-r--r-- 1 u g 0 Jan 5 12:34 p\n", []),
            // Months in other languages, and before or after the day.
            ("-rw-r--r-- 1 u g 7 5 Jan 12:34 f", ["file 'f' 7"]),
            ("-rw-r--r-- 1 u g 7 Mär  5 12:34 f", ["file 'f' 7"]),
            ("-rw-r--r-- 1 u g 7 5. Dez 2024 f", ["file 'f' 7"]),
            ("-rw-r--r-- 1 u g 7  1月  5日 12:34 f", ["file 'f' 7"]),
            ("-rw-r--r-- 1 u g 7 2024-01-05 12:34 f", ["file 'f' 7"]),
            ("-rw-r--r-- 1 u g 7 2024-01-05 12:34:56.000000000 +0100 f", ["file 'f' 7"]),
            // A link's size is the length of its target.
            ("lrwxrwxrwx 1 u g 6 Jan 5 12:34 a -> b -> target", ["link 'a -> b' -"]),
            ("lrwxrwxrwx 1 u g 11 Jan 5 12:34 a -> b -> target", ["link 'a' -"]),
            ("lrwxrwxrwx 1 u g 4096 Jan 5 12:34 a -> target", ["link 'a' -"]),
            ("lrwxrwxrwx 1 u g 6 Jan 5 12:34 a", ["link 'a' -"]),
            ("-rw-r--r-- 1 u g 1 Jan 5 12:34 a -> b", ["file 'a -> b' 1"]),
            // Names with the end of a line.
            (
                "-rw-r--r-- 1 u g 7 Jan 5 12:34 a\nb\n-rw-r--r-- 1 u g 7 Jan 5 12:34 c\n",
                ["file 'a\nb' 7", "file 'c' 7"]
            ),
            ("-rw-r--r-- 1 u g 7 Jan 5 12:34 a\n\n-rw-r--r-- 1 u g 7 Jan 5 12:34 c\n", ["file 'a\n' 7", "file 'c' 7"]),
            ("lrwxrwxrwx 1 u g 6 Jan 5 12:34 a\nb -> target\n", ["link 'a\nb' -"]),
            ("total 4\nhello\n-rw-r--r-- 1 u g 7 Jan 5 12:34 \na", ["file '\na' 7"]),
        ] as [(String, [String])])
    func `has the form of ls`(text: String, expected: [String]) throws {
        expectEqual(try LongList(now: now).summaries(text), expected, "\(text)")
        expectEqual(try LongList(now: now, isSFTP: true).summaries(text), expected, "\(text)")
    }

    @Test(
        arguments: [
            ("01-05-24  12:34PM       <DIR>          sub folder\r\n", ["folder 'sub folder' -"]),
            ("01-05-2024  23:59            1,234,567 a b \r\n", ["file 'a b ' 1234567"]),
            ("2024-01-05  03:04 PM                 7  lead\r\n", ["file ' lead' 7"]),
            ("01-05-24  12:34PM       <DIR>           lead\r\n", ["folder ' lead' -"]),
            ("1/5/2024 3:04pm <dir> d\n", ["folder 'd' -"]),
            ("01-05-24  12:34PM       <JUNCTION>     j [C:\\x]\r\n", ["link 'j' -"]),
            ("01-05-24  12:34PM       <SYMLINKD>     s\r\n", ["link 's' -"]),
            // The first good line decides for all.
            ("hello\n01-05-24  12:34PM 7 a\n-rw-r--r-- 1 u g 7 Jan 5 12:34 b\n", ["file 'a' 7"]),
        ] as [(String, [String])])
    func `has the form of DOS`(text: String, expected: [String]) throws {
        expectEqual(try LongList(now: now).summaries(text), expected, "\(text)")
    }

    @Test(
        arguments: [
            ("-rw-r--r-- 1 u g 7 Jan  5 12:34 f", 1_704_458_040, .minute),
            ("-rw-r--r-- 1 u g 7 5 Jan 12:34 f", 1_704_458_040, .minute),
            ("-rw-r--r-- 1 u g 7 Jan  5  2024 12:34", 1_704_412_800, .day),
            ("-rw-r--r-- 1 u g 7 5 June.  2023 f", 1_685_923_200, .day),
            ("-rw-r--r-- 1 u g 7 2024-01-05 12:34 f", 1_704_458_040, .minute),
            ("01-05-24  12:34PM 7 f", 1_704_458_040, .minute),
            ("01-05-2024  03:04 PM 7 f", 1_704_467_040, .minute),
        ] as [(String, Int64, ListedTime.Precision)])
    func `gives times without a zone`(text: String, seconds: Int64, precision: ListedTime.Precision) throws {
        let expected = ListedTime(seconds: seconds, precision: precision, isZoned: false)
        expectEqual(try time(LongList(now: now), text), expected, "\(text)")
    }

    @Test func `has no time when the month is unknown`() throws {
        expectNil(try time(LongList(now: now), "-rw-r--r-- 1 u g 7 Mär  5 12:34 f"))
    }

    @Test(arguments: ["ls: cannot open directory\n", "<html>\n", "-rw-r--r-- name\n", "01-05-24 12:34PM\n"])
    func `is none in another form`(text: String) {
        #expect(throws: ListingFault.self) { try LongList(now: now).summaries(text) }
    }

    /// By FTP a CR may be a part of the line's end, and libcurl does not keep it; of SFTP libcurl ends each line with LF.
    @Test(arguments: [(false, "a"), (true, "a\r")])
    func `keeps a CR at the end of a name where no line ends with one`(isSFTP: Bool, name: String) throws {
        let line = "-rw-r--r-- 1 u g 7 Jan 5 12:34 a\r\n"
        expectEqual(try LongList(now: now, isSFTP: isSFTP).summaries(line), ["file '\(name)' 7"])
    }

    @Test(arguments: [(false, "a"), (true, "a\n")])
    func `has no empty line at its end by SFTP`(isSFTP: Bool, name: String) throws {
        let line = "-rw-r--r-- 1 u g 7 Jan 5 12:34 a\n\n"
        expectEqual(try LongList(now: now, isSFTP: isSFTP).summaries(line), ["file '\(name)' 7"])
    }

    /// It is refused: no name is as long.
    @Test func `keeps no more of a name without an end than of a line`() throws {
        let text =
            "-rw-r--r-- 1 u g 7 Jan 5 12:34 a\n"
            + String(repeating: String(repeating: "x", count: 99) + "\n", count: 2000)
        let found = try entries(LongList(now: now), Array(text.utf8))
        expectEqual(found.count, 1)
        expectMore(found.first?.name.count ?? 0, than: ListingLimits.line / 2)
        expectAtMost(found.first?.name.count ?? 0, ListingLimits.line + 100)
    }

    @Test func `of SFTP is never in the form of DOS`() {
        #expect(throws: ListingFault.self) {
            try LongList(now: now, isSFTP: true).summaries("01-05-24  12:34PM       <DIR>          sub\n")
        }
    }
}

@Suite struct `A list in lines` {
    private static let machine =
        "type=cdir; .\r\ntype=file;size=5;modify=20240105123456; a; b\r\ntype=dir; \u{E9}\r\nb\r\n"
    private static let unix = """
        total 4
        -rw-r--r-- 1 u g 7 Jan  5 12:34  a b\r
        lrwxrwxrwx 1 u g 6 Jan  5  2024 a -> b -> target
        drwxr-xr-x 2 u g 4096 1月 5日 12:34 sub
        """
    private static let dos = "01-05-24  12:34PM  <DIR>   sub\r\n\r\n01-05-24  12:34PM  1,234 a b"

    @Test func `has the same entries wherever the bytes are cut`() throws {
        let seed = UInt64.random(in: 0...1 << 48)
        var random = SplitMix64(seed: seed)
        func check(_ parser: some ListingParser, _ text: String) throws {
            let bytes = Array(text.utf8)
            let whole = try entries(parser, bytes)
            expect(whole.count >= 2)
            for longest in 1...40 {
                let cut = try entries(parser, bytes) { Int.random(in: 1...longest, using: &random) }
                expectEqual(cut, whole, "seed \(seed)")
            }
        }
        try check(MachineList(), Self.machine)
        try check(LongList(now: now), Self.unix)
        try check(LongList(now: now), Self.dos)
    }

    @Test func `keeps bytes that are no text`() throws {
        let line = Array("-rw-r--r-- 1 u g 7 Jan 5 12:34 ".utf8) + [0xE9, 0, 0xFF]
        expectEqual(try entries(LongList(now: now), line).map(\.name), [[0xE9, 0, 0xFF]])
        let fact = Array("type=file; ".utf8) + [0xE9, 0, 0xFF]
        expectEqual(try entries(MachineList(), fact).map(\.name), [[0xE9, 0, 0xFF]])
    }
}
