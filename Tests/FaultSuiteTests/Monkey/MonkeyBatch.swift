import WinchModel

/// An entry of a session's batch: a file name that is hard to display, and options that make the server misbehave.
enum MonkeyEntry {
    private static let troubles = [
        "", "", "", "rate=20K", "rate=200K", "latency=0.4", "latency=3", "stall=500", "stall=0", "stallfirst=900",
        "status=404", "status=503,200&retryafter=1", "status=500", "status=403", "status=close,200", "status=reset",
        "redirect=2", "redirect=25", "drop=4K", "dropfirst=2K", "dropfirst=2K&reset", "chunked", "nolength", "head=405",
        "headdelay=2", "limit=1&limitkey=one", "disposition=attachment; filename=\"\u{1B}[31mred\u{1B}]0;x\u{07}\"",
        "disposition=inline; filename=東京.txt", "type=text/\u{1B}[2Jhtml", "header=X-Odd: \u{1B}[31m\u{9B}2J",
        "interim=103",
        "user=alice&pass=secret", "lines=5000", "http10", "ranges=off", "etag=\u{1B}[7mv1",
    ]
    /// Answers that make the transfer fail and contain escape sequences.
    private static let answers = [
        "HTTP/1.1 500 \u{1B}[2J\u{1B}]0;owned\u{07}Bad\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 404 \u{202E}東京\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\u{1B}[31m\r\nContent-Length: 0\r\n\r\n",
        "\u{1B}[2Jno HTTP at all\r\n\r\n",
    ]

    static func line(origin: String, using random: inout SplitMix64) -> String {
        if random.chance(7) { return origin + raw(random.pick(answers)) }
        let number = random.int(1...999_999)
        let name = random.chance(67) ? random.pick(HostileText.names) : "file-\(number).bin"
        let sizes = [0, 1, 900, 5_000, 40_000, 200_000, 200_000, 1_500_000]
        // `size` and `seed` in the request determine the content, so that a file can be checked whatever its name is.
        let options = "size=\(random.pick(sizes))&seed=\(number)&" + random.pick(troubles)
        return origin + "/f/" + percentEncoded(name) + "?" + query(options)
    }

    /// Encodes the names and values of options that are separated by `&`.
    static func query(_ options: String) -> String {
        options.split(separator: "&").map { option in
            option.split(separator: "=", maxSplits: 1).map { percentEncoded(String($0)) }.joined(separator: "=")
        }.joined(separator: "&")
    }
}

/// What sessions upload: files beside the batch, which must stay as they are, and entries that send them to the fault
/// server.
enum MonkeyUploads {
    static let folder = "sources"
    /// Names and sizes.
    static let files: [(name: String, size: Int64)] = [
        ("empty", 0), ("one", 1), ("small", 40_000), ("a \"b\";東京", 200_000), ("large", 1_500_000),
    ]
    private static let troubles = [
        "", "", "", "rate=200K", "latency=1", "status=404", "status=503,201&retryafter=1", "status=500",
        "status=close,201", "status=reset", "drop=4K", "dropfirst=20K", "dropfirst=20K&reset", "stall=500",
        "stallfirst=900", "expect=off", "latency=2", "interim=103", "answerat=1K", "answerat=1K&then=cut",
        "answerat=never", "reply=3M", "errbody=1M&status=507", "redirect=2&redirectcode=307",
        "redirect=1&redirectcode=302", "user=alice&pass=secret", "header=X-Odd: \u{1B}[31m\u{9B}2J",
        "location=/up/\u{1B}[2J", "limit=1&limitkey=up",
    ]
    private static let tusTroubles = [
        "", "", "dropfirst=20K", "headoffset=5", "headoffset=99999999999", "patchoffset=5", "lose=10K",
        "create=503,201", "head=503,200", "notus", "maxsize=1K", "location=relative",
    ]

    /// - Returns: the lines of an entry.
    static func entry(origin: String, using random: inout SplitMix64) -> String {
        let file = folder + "/" + random.pick(files).name
        let number = random.int(1...999_999)
        func url(_ path: String, _ options: String) -> String {
            origin + path + "?" + MonkeyEntry.query(options + "&n=\(number)")
        }
        let own = random.pick(troubles)
        switch random.int(0...9) {
        case 0..<2: return url("/tus", random.pick(tusTroubles)) + "\n  upload=\(file)\n  resumable=tus"
        case 2: return url("/up/form\(number)", own) + "\n  form=a=\u{1B}[2J\"\n  form=file=@\(file)"
        case 3: return url("/up/post\(number)", own) + "\n  upload=\(file)\n  method=POST"
        case 4: return url("/up/none\(number)", own) + "\n  upload=\(folder)/missing"
        default: return url("/up/" + percentEncoded("put \(number) 東京"), own) + "\n  upload=\(file)"
        }
    }
}

/// Texts that have broken terminals, screens or file systems.
enum HostileText {
    /// Names of files at a server.
    static let names = [
        "plain.bin", "a b.tar.gz", "\u{1B}[2Jclear.bin", "\u{1B}]0;owned\u{07}title.iso", "\u{9B}31mred.bin",
        "\u{1B}[?1049lleave.zip", "\u{1B}(0lines", "bell\u{07}.wav", "line\r\nfeed.txt", "tab\tbed.csv", "東京タワー.zip",
        "한국어 파일.pdf", "שלום עולם.doc", "مرحبا.mp3", "\u{202E}gpj.exe", "\u{2066}isolated\u{2069}.bin",
        "👨\u{200D}👩\u{200D}👧\u{200D}👦.png", "👍🏽 ok.gif", "🇩🇪🇫🇷.svg", "e\u{301}\u{301}\u{301}\u{301}\u{301}.txt",
        "\u{301}mark-first", "क्षि.txt", "ﷺ.txt", "\u{FEFF}bom.json", "\u{FFFF}no-character", "\u{10FFFF}", "-rf", "..",
        "../../escape.bin", "/etc/passwd", "con", ".hidden", "trailing.", " ", "%2e%2e%2fx", "a\u{0}b", "\u{7F}del",
        "ａｂｃ full width", "\u{3000}", "\u{1112}\u{1161}\u{11AB}.hwp", "Z\u{335}\u{35D}\u{30D}a\u{337}lgo",
        String(repeating: "long-", count: 60) + ".bin", String(repeating: "長", count: 90),
    ]

    /// Texts that a user may paste or type by mistake.
    static let phrases = [
        "", " ", "x", "http://", "http://127.0.0.1:1/refused", "https://127.0.0.1:1/", "ftp://127.0.0.1:1/x",
        "nonsense words", "@nowhere.urls", "@.", "~/", "/dev/null", "batch", "#comment", " out=../../x",
        " checksum=md5=0", "\u{1B}[2J", "\u{9B}2J", "東京", "👨\u{200D}👩\u{200D}👧", "\u{202E}abc", "e\u{301}", "\t",
        "state:failed", "host:", "!x", "name:a", "5", "-1", "500K", "2M", "none", "99999999999999999999", "jobs 3",
        "limit 1M", "mode simple", "theme rainbow", "theme nosuch", "fps 1", "ascii yes", "ascii no", "exit yes",
        "mouse no", "sort name", "sort", "log debug", "add http://127.0.0.1:1/z", "url http://127.0.0.1:1/u", "help",
        "nosuch",
    ]

    /// Answers and reports of a terminal that the program has not asked for.
    static let answers = [
        "\u{1B}[?1;2c", "\u{1B}[>41;354;0c", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{07}",
        "\u{1B}]10;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}[12;40R", "\u{1B}[?2026;2$y", "\u{1B}P>|xterm(354)\u{1B}\\",
        "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[8;24;80t", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?0u", "\u{1B}[I", "\u{1B}[O",
        "\u{1B}[O", "\u{1B}[I", "\u{1B}]52;c;YQ==\u{07}", "\u{1B}[99;5u", "\u{1B}[27;5;113~", "\u{1B}[?997;1n",
    ]
}
