extension FaultCase {
    /// Resuming a partial file.
    static let resume: [FaultCase] = [
        FaultCase(
            "closes every 64 KiB", "/f/a?size=1M&drop=64K --max-tries 2",
            gives: .whole("a", 1 << 20).requests(16...20).sending(atMost: 1100 << 10)),
        FaultCase(
            "ranges refused after a kill", "/f/a?size=2M&rate=1M&ranges=off", killedAt: 600 << 10,
            gives: .whole("a", 2 << 20)),
        FaultCase("416 to every range", "/f/a?size=300K&dropfirst=100K&ranges=refuse", gives: .whole("a", 300 << 10)),
        FaultCase(
            "416 that means complete", "/f/a?size=200K&chunked&noend",
            gives: .whole("a", 200 << 10).requests(2...3).or(22).keepingParts),
        FaultCase(
            "goes on at the given URL, as links may work once", "/f/a?size=300K&redirect=1&dropfirst=100K",
            gives: .whole("a", 300 << 10).requests(4...4).sending(atMost: 310 << 10)),
        FaultCase(
            "NAME.part is a folder", "/f/a", before: ["got/a.part": .folder],
            gives: .whole("a").besides("a.part", .folder)),
    ]

    /// The file changes while the program is killed.
    static let kills: [FaultCase] = [
        ("ETag", ""), ("Last-Modified", "&noetag&lastmodified=1000000000"), ("no validator", "&noetag"),
    ].map { (label, options) -> FaultCase in
        FaultCase(
            "changed after a kill, \(label)", "/f/a?size=2M&ratefirst=1M&change=1&versions=2\(options)",
            killedAt: 500 << 10, gives: .whole("a", 2 << 20, version: 1).or(22).keepingParts)
    }

    /// The file changes between two attempts.
    static let swaps: [FaultCase] = [
        FaultCase(
            "grown while broken off", "/f/a?size=300K&dropfirst=100K&change=1&versions=2&grow=10K&noetag",
            gives: .whole("a", 310 << 10, version: 1).or(22).keepingParts),
        FaultCase(
            "shrunk below the part", "/f/a?size=300K&dropfirst=200K&change=1&versions=2&shrink=150K&noetag",
            gives: .whole("a", 150 << 10, version: 1).or(22).keepingParts),
        FaultCase(
            "changed, with --on-change fail", "/f/a?size=300K&dropfirst=100K&change=1 --on-change fail",
            gives: .fails(1, 22, saying: "remote file has changed")),
    ]
}
