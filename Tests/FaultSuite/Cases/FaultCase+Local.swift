extension FaultCase {
    private static let two: [String: Content] = ["a": .served("a", size: 64 << 10), "b": .served("b", size: 64 << 10)]

    /// Batch files with mistakes in them.
    static let batches: [FaultCase] = [
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
    ]

    /// Faults of the local machine (disk, permissions, descriptors) and signals from the user.
    static let local: [FaultCase] = [
        FaultCase(
            .local, "a folder that may not be written", ["/f/a"], on: .readOnly,
            gives: .fails(17, saying: "permission denied").withoutParts),
        FaultCase(.local, "RLIMIT_FSIZE", ["/f/a?size=3M"], on: .fileLimit(kibibytes: 1024), gives: .fails(9, 17)),
        FaultCase(
            .local, "few descriptors", (0..<16).map { "/f/d\($0)?size=8K&latency=0.2" }, [.jobs(16)],
            on: .fewDescriptors(80),
            gives: .files(Dictionary(uniqueKeysWithValues: (0..<16).map { ("d\($0)", .served("d\($0)", size: 8192)) }))),
        FaultCase(.local, "too few descriptors", ["/f/a"], on: .fewDescriptors(24), gives: .fails(1)),
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
