extension FaultCase {
    /// Resuming a partial file.
    static let resume: [FaultCase] = [
        FaultCase(
            "closes every 64 KiB", "/f/a?size=1M&drop=64K --max-tries 2",
            gives: .whole("a", 1 << 20).requests(16...20).sending(atMost: 1100 << 10)),
        FaultCase(
            "ranges refused after a kill", "/f/a?size=2M&rate=1M&ranges=off", killedAt: 600 << 10,
            gives: .whole("a", 2 << 20)),
        FaultCase(
            "a part that begins a byte early", "/f/a?size=300K&dropfirst=100K&ranges=lie",
            gives: .whole("a", 300 << 10).or(22).keepingParts),
        FaultCase("416 to every range", "/f/a?size=300K&dropfirst=100K&ranges=refuse", gives: .whole("a", 300 << 10)),
        FaultCase(
            "416 that means complete", "/f/a?size=200K&chunked&noend",
            gives: .whole("a", 200 << 10).requests(2...3).or(22).keepingParts),
        FaultCase("a weak ETag", "/f/a?size=300K&dropfirst=100K&weaketag=w", gives: .whole("a", 300 << 10)),
        FaultCase("no validator", "/f/a?size=300K&dropfirst=100K&noetag", gives: .whole("a", 300 << 10)),
        FaultCase(
            "links that work once", "/f/a?size=300K&ticket&dropfirst=100K",
            gives: .whole("a", 300 << 10).sending(atMost: 310 << 10)),
        FaultCase(
            "a stranger's NAME.part", "/f/a", before: ["got/a.part": .text("mine")],
            gives: .whole("a").besides("a.part", .text("mine"))),
        FaultCase(
            "NAME.part is a link", "/f/a",
            before: ["home/victim": .text("mine"), "got/a.part": .link(to: "../home/victim")],
            gives: .whole("a").besides("a.part", .link(to: "../home/victim"))),
        FaultCase(
            "NAME.part is a folder", "/f/a", before: ["got/a.part": .folder],
            gives: .whole("a").besides("a.part", .folder)),
    ]

    /// Instead of `bytes 102400-307199/307200`.
    static let contentRanges: [FaultCase] = [
        ("a wrong total", "bytes 102400-307199/999999"), ("a wrong start", "bytes 200000-307199/307200"),
        ("a garbled Content-Range", "bytes x-y/z"),
        (
            "a Content-Range beyond 64 bits",
            "bytes 999999999999999999999999999999-1/999999999999999999999999999999"
        ),
    ].map { (title, range) in
        FaultCase(
            title, "/f/a?size=300K&dropfirst=100K&contentrange=" + percentEncoded(range),
            gives: .whole("a", 300 << 10).or(22).keepingParts)
    }

    /// The file changes between two attempts.
    static let swaps: [FaultCase] =
        [("ETag", ""), ("Last-Modified", "&noetag&lastmodified=1000000000"), ("no validator", "&noetag")].flatMap {
            (label, options) in
            [
                FaultCase(
                    "changed while broken off, \(label)", "/f/a?size=300K&dropfirst=100K&change=1&versions=2\(options)",
                    gives: .whole("a", 300 << 10, version: 1).or(22).keepingParts),
                FaultCase(
                    "changed after a kill, \(label)", "/f/a?size=2M&ratefirst=1M&change=1&versions=2\(options)",
                    killedAt: 500 << 10, gives: .whole("a", 2 << 20, version: 1).or(22).keepingParts),
                FaultCase(
                    "grown while broken off, \(label)",
                    "/f/a?size=300K&dropfirst=100K&change=1&versions=2&grow=10K\(options)",
                    gives: .whole("a", 310 << 10, version: 1).or(22).keepingParts),
                FaultCase(
                    "shrunk below the part, \(label)",
                    "/f/a?size=300K&dropfirst=200K&change=1&versions=2&shrink=150K\(options)",
                    gives: .whole("a", 150 << 10, version: 1).or(22).keepingParts),
            ]
        } + [
            FaultCase(
                "changed, with --on-change fail", "/f/a?size=300K&dropfirst=100K&change=1 --on-change fail",
                gives: .fails(1, 22, saying: "remote file has changed"))
        ]
}
