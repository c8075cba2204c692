extension FaultCase {
    private static let two: [String: Content] = ["a": .served("a", size: 64 << 10), "b": .served("b", size: 64 << 10)]

    /// Batch files with mistakes in them.
    static let batches: [FaultCase] = [
        FaultCase(
            .batch, "a bad line among good ones", batch: "{server}/f/a\nnot a url\n{server}/f/b\n",
            gives: .files(two, code: 1).saying(":2: error")),
        FaultCase(
            .batch, "an unknown option", batch: "{server}/f/a\n colour=blue\n{server}/f/b\n",
            gives: .files(two).saying(":2: warning")),
        FaultCase(
            .batch, "a bad value", batch: "{server}/f/x\n max-tries=soon\n{server}/f/a\n{server}/f/b\n",
            gives: .files(two, code: 1).saying(":2: error")),
        FaultCase(
            .batch, "out= that leaves the folder", batch: "{server}/f/x\n out=../x\n{server}/f/a\n{server}/f/b\n",
            gives: .files(two, code: 1).saying(":2: error")),
        FaultCase(
            .batch, "an absolute out=", batch: "{server}/f/x\n out=/tmp/x\n{server}/f/a\n{server}/f/b\n",
            gives: .files(two, code: 1)),
        FaultCase(
            .batch, "folders in out=", batch: "{server}/f/a\n out=deep/er/a\n",
            gives: .files(["deep/er/a": .served("a", size: 64 << 10)])),
        FaultCase(
            .batch, "two entries, one out=", [], [.jobs(1)],
            batch: "{server}/f/a\n out=same\n{server}/f/b\n out=same\n",
            gives: .files(["same": .served("a", size: 64 << 10), "same.1": .served("b", size: 64 << 10)])),
        FaultCase(
            .batch, "BOM, CRLF, comments",
            batch: "\u{FEFF}# list\r\n{server}/f/a\r\n\r\n # no comment here\r\n{server}/f/b\r\n",
            gives: .files(["b": .served("b", size: 64 << 10)], code: 1).saying(":4: error")),
        FaultCase(
            .batch, "an option before any URL", batch: " out=x\n{server}/f/a\n{server}/f/b\n",
            gives: .files(two, code: 1).saying(":1: error")),
        FaultCase(
            .batch, "a paused entry", batch: "{server}/f/a\n{server}/f/x\n pause=true\n{server}/f/b\n",
            gives: .files(two, code: 7)),
        FaultCase(.batch, "nothing in it", batch: "", gives: .fails(64)),
        FaultCase(
            .batch, "bytes that are no text", batch: "{server}/f/a\n\u{1}\u{2}\u{7F}\n{server}/f/b\n",
            gives: .files(two, code: 1)),
        FaultCase(
            .batch, "no such file", ["/f/a"], [.winch("-i", "{home}/missing")],
            gives: .files(["a": .served("a", size: 64 << 10)], code: 1)),
        FaultCase(
            .batch, "two hundred small files", (0..<200).map { "/f/s\($0)?size=4K" }, [.jobs(16)],
            gives: .files(Dictionary(uniqueKeysWithValues: (0..<200).map { ("s\($0)", .served("s\($0)", size: 4096)) }))
        ),
    ]

    /// Faults of the local machine (disk, permissions, descriptors) and signals from the user.
    static let local: [FaultCase] = [
        FaultCase(
            .local, "a folder that may not be written", ["/f/a"], on: .readOnly,
            gives: .fails(17, saying: "permission denied").withoutParts),
        FaultCase(
            .local, "a file where the folder should be",
            batch: "{server}/f/x\n dir={home}/blocked/sub\n{server}/f/a\n{server}/f/b\n",
            before: [.file("home/blocked", "a file")], gives: .files(two, code: 17).saying("blocked")),
        FaultCase(
            .local, "a link among the folders of out=", batch: "{server}/f/x\n out=sub/x\n{server}/f/a\n{server}/f/b\n",
            before: [.link("got/sub", to: "../home")],
            gives: .files(two.merging(["sub": .link(to: "../home")]) { a, _ in a }, code: 17)),
        FaultCase(
            .local, "a disk too small", ["/f/a?size=3M"], [.maxTime(4)], on: .smallDisk(kibibytes: 1024),
            gives: .fails(9).saying("the whole disk")),
        FaultCase(
            .local, "a disk too small, no length told", ["/f/a?size=3M&chunked"],
            [.maxTime(4), .winch("--space-wait", "2")], on: .smallDisk(kibibytes: 1024),
            gives: .fails(9, 7, 2).saying("space")),
        FaultCase(
            .local, "a full disk that gets room", ["/f/a?size=1M"],
            on: .smallDisk(kibibytes: 1536, filler: 1400, freedAfter: 2), gives: .whole("a", 1 << 20)),
        FaultCase(
            .local, "a full disk beside a good one", [], [.maxTime(4)],
            batch: "{server}/f/x?size=3M\n{server}/f/ok\n dir={home}/ok\n max-tries=1\n",
            on: .smallDisk(kibibytes: 1024),
            gives: .fails(9, 7, 2).besides("../home/ok/ok", .served("ok", size: 64 << 10))),
        FaultCase(.local, "RLIMIT_FSIZE", ["/f/a?size=3M"], on: .fileLimit(kibibytes: 1024), gives: .fails(9, 17)),
        FaultCase(
            .local, "few descriptors", (0..<16).map { "/f/d\($0)?size=8K&latency=0.2" }, [.jobs(16)],
            on: .fewDescriptors(80),
            gives: .files(Dictionary(uniqueKeysWithValues: (0..<16).map { ("d\($0)", .served("d\($0)", size: 8192)) }))),
        FaultCase(.local, "too few descriptors", ["/f/a"], on: .fewDescriptors(24), gives: .fails(1)),
        FaultCase(.local, "a state folder that may not be written", ["/f/a"], on: .noState, gives: .whole("a")),
        FaultCase(
            .local, "SIGINT", ["/f/a?size=3M&rate=1M"],
            runs: [Run(end: .signal(2, atBytes: 500 << 10), code: 7), .uninterrupted],
            gives: .whole("a", 3 << 20).sending(atMost: 4 << 20)),
        FaultCase(
            .local, "SIGHUP", ["/f/a?size=3M&rate=1M"],
            runs: [Run(end: .signal(1, atBytes: 500 << 10), code: 7), .uninterrupted],
            gives: .whole("a", 3 << 20).sending(atMost: 4 << 20)),
    ]

    /// Limits that the user sets, and limits of Winch itself.
    static let limits: [FaultCase] = [
        FaultCase(
            .limits, "--max-size, announced", ["/f/a?size=1M&rate=100K"], [.winch("--max-size", "100K")],
            gives: .fails(1, 22, saying: "max-size").withoutParts.sending(atMost: 512 << 10)),
        FaultCase(
            .limits, "--max-size, not announced", ["/f/a?size=1M&rate=200K&chunked"], [.winch("--max-size", "100K")],
            gives: .fails(1, 22, saying: "max-size").sending(atMost: 700 << 10)),
        FaultCase(.limits, "--max-size, just enough", ["/f/a"], [.winch("--max-size", "64K")], gives: .whole("a")),
        FaultCase(
            .limits, "--max-time", ["/f/a?size=3M&rate=100K"], [.maxTime(1)], gives: .fails(2, saying: "max-time")),
        FaultCase(
            .limits, "--limit-rate", ["/f/a?size=300K", "/f/b?size=300K"], [.winch("--limit-rate", "400K")],
            gives: .files(["a": .served("a", size: 300 << 10), "b": .served("b", size: 300 << 10)]).lasting(1)),
        FaultCase(
            .limits, "a URL of 70,000 bytes", ["/f/" + String(repeating: "a", count: 70_000)],
            gives: .fails(1, 64, saying: "longer than").withoutParts.requests(0...0)),
        FaultCase(
            .limits, "--fail-fast", ["/f/a?size=9M&rate=1M", "/f/x?status=404&latency=0.5"], [.winch("--fail-fast")],
            gives: .fails(1, 3).sending(atMost: 6 << 20)),
        FaultCase(
            .limits, "an error page of 20 MiB", ["/f/a?status=503,200&errbody=20M"],
            gives: .whole("a").sending(atMost: 12 << 20)),
    ]
}
