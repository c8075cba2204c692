extension FaultCase {
    private static let two: [String: Content] = ["a": .served("a"), "b": .served("b")]

    /// Batch files with mistakes in them.
    static let batches: [FaultCase] = [
        FaultCase(
            "a bad value", batch: "{server}/f/x\n max-tries=soon\n{server}/f/a\n{server}/f/b\n",
            gives: .files(two, code: 1).saying(":2: error")),
        FaultCase(
            "out= that leaves the folder", batch: "{server}/f/x\n out=../x\n{server}/f/a\n{server}/f/b\n",
            gives: .files(two, code: 1).saying(":2: error")),
        FaultCase(
            "two entries, one out=", "-j 1 --per-host 1", batch: "{server}/f/a\n out=same\n{server}/f/b\n out=same\n",
            gives: .files(["same": .served("a"), "same.1": .served("b")])),
        FaultCase(
            "BOM, CRLF, comments",
            batch: "\u{FEFF}# list\r\n{server}/f/a\r\n\r\n # no comment here\r\n{server}/f/b\r\n",
            gives: .files(["b": .served("b")], code: 1).saying(":4: error")),
        FaultCase(
            "an option before any URL", batch: " out=x\n{server}/f/a\n{server}/f/b\n",
            gives: .files(two, code: 1).saying(":1: error")),
        FaultCase(
            "a paused entry", batch: "{server}/f/a\n{server}/f/x\n pause=true\n{server}/f/b\n",
            gives: .files(two, code: 7)),
        FaultCase("nothing in it", batch: "", gives: .fails(64)),
    ]

    /// Root may write anywhere: without these capabilities the permission bits apply to it as well.
    private static let readOnly = """
        chmod 555 got; no=-dac_override,-dac_read_search
        test $(id -u) != 0 || set -- setpriv --bounding-set $no --inh-caps $no "$@"
        """

    /// Faults of the local machine: disk, permissions, descriptors.
    static let local: [FaultCase] = [
        FaultCase(
            "a folder that may not be written", "/f/a", under: readOnly,
            gives: .fails(17, saying: "permission denied").withoutParts),
        FaultCase("RLIMIT_FSIZE", "/f/a?size=3M", under: "ulimit -f 2048", gives: .fails(9, 17)),
        FaultCase(
            "few descriptors",
            "\((0..<16).map { "/f/d\($0)?size=8K&latency=0.2" }.joined(separator: " ")) -j 16 --per-host 16",
            under: "ulimit -n 80",
            gives: .files(Dictionary(uniqueKeysWithValues: (0..<16).map { ("d\($0)", .served("d\($0)", size: 8192)) }))),
        FaultCase("too few descriptors", "/f/a", under: "ulimit -n 24", gives: .fails(1)),
    ]

    /// Limits that the user sets, and limits of Winch itself.
    static let limits: [FaultCase] = [
        FaultCase(
            "--max-size, announced", "/f/a?size=1M&rate=100K --max-size 100K",
            gives: .fails(1, 22, saying: "max-size").withoutParts.sending(atMost: 512 << 10)),
        FaultCase(
            "--max-size, not announced", "/f/a?size=1M&rate=200K&chunked --max-size 100K",
            gives: .fails(1, 22, saying: "max-size").sending(atMost: 700 << 10)),
        FaultCase("--max-time", "/f/a?size=3M&rate=100K --max-time 1", gives: .fails(2, saying: "max-time")),
        FaultCase(
            "--fail-fast", "/f/a?size=9M&rate=1M /f/x?status=404&latency=0.5 --fail-fast",
            gives: .fails(1, 3).sending(atMost: 6 << 20)),
        FaultCase(
            "an error page of 20 MiB", "/f/a?status=503,200&errbody=20M", gives: .whole("a").sending(atMost: 12 << 20)),
    ]
}
