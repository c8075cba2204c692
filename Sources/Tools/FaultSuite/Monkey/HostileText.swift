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
        " checksum=md5=0",
        "\u{1B}[2J", "\u{9B}2J", "東京", "👨\u{200D}👩\u{200D}👧", "\u{202E}abc", "e\u{301}", "\t", "state:failed", "host:",
        "!x", "name:a", "5", "-1", "500K", "2M", "none", "99999999999999999999", "jobs 3", "limit 1M", "mode simple",
        "theme rainbow", "theme nosuch", "fps 1", "ascii yes", "ascii no", "exit yes", "mouse no", "sort name",
        "sort", "log debug", "add http://127.0.0.1:1/z", "url http://127.0.0.1:1/u", "help", "nosuch",
    ]

    /// Answers and reports of a terminal that the program has not asked for.
    static let answers = [
        "\u{1B}[?1;2c", "\u{1B}[>41;354;0c", "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{07}",
        "\u{1B}]10;rgb:ffff/ffff/ffff\u{1B}\\",
        "\u{1B}[12;40R", "\u{1B}[?2026;2$y", "\u{1B}P>|xterm(354)\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[8;24;80t",
        "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?0u", "\u{1B}[I", "\u{1B}[O", "\u{1B}[O", "\u{1B}[I",
        "\u{1B}]52;c;YQ==\u{07}",
        "\u{1B}[99;5u", "\u{1B}[27;5;113~", "\u{1B}[?997;1n",
    ]
}
