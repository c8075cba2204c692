extension FaultCase {
    /// Resuming a partial file.
    static let resume: [FaultCase] = [
        FaultCase(
            .resume, "closes every 64 KiB", ["/f/a?size=1M&drop=64K"], [.tries(2)],
            gives: .whole("a", 1 << 20).requests(16...20).sending(atMost: 1100 << 10)),
        FaultCase(
            .resume, "ranges refused after a kill", ["/f/a?size=2M&rate=1M&ranges=off"],
            runs: [.killed(600 << 10), .uninterrupted], gives: .whole("a", 2 << 20)),
        FaultCase(
            .resume, "a part that begins a byte early", ["/f/a?size=300K&dropfirst=100K&ranges=lie"],
            gives: .whole("a", 300 << 10).or(22).keepingParts),
        FaultCase(
            .resume, "a wrong total",
            ["/f/a?size=300K&dropfirst=100K&contentrange=" + percentEncoded("bytes 102400-307199/999999")],
            gives: .whole("a", 300 << 10).or(22).keepingParts),
        FaultCase(
            .resume, "a wrong start",
            ["/f/a?size=300K&dropfirst=100K&contentrange=" + percentEncoded("bytes 200000-307199/307200")],
            gives: .whole("a", 300 << 10).or(22).keepingParts),
        FaultCase(
            .resume, "a garbled Content-Range",
            ["/f/a?size=300K&dropfirst=100K&contentrange=" + percentEncoded("bytes x-y/z")],
            gives: .whole("a", 300 << 10).or(22).keepingParts),
        FaultCase(
            .resume, "a Content-Range beyond 64 bits",
            [
                "/f/a?size=300K&dropfirst=100K&contentrange="
                    + percentEncoded("bytes 999999999999999999999999999999-1/999999999999999999999999999999")
            ], gives: .whole("a", 300 << 10).or(22).keepingParts),
        FaultCase(
            .resume, "416 to every range", ["/f/a?size=300K&dropfirst=100K&ranges=refuse"],
            gives: .whole("a", 300 << 10)),
        FaultCase(
            .resume, "416 that means complete", ["/f/a?size=200K&chunked&noend"],
            gives: .whole("a", 200 << 10).requests(2...3).or(22).keepingParts),
        FaultCase(.resume, "a weak ETag", ["/f/a?size=300K&dropfirst=100K&weaketag=w"], gives: .whole("a", 300 << 10)),
        FaultCase(.resume, "no validator", ["/f/a?size=300K&dropfirst=100K&noetag"], gives: .whole("a", 300 << 10)),
        FaultCase(
            .resume, "links that work once", ["/f/a?size=300K&ticket&dropfirst=100K"],
            gives: .whole("a", 300 << 10).sending(atMost: 310 << 10)),
        FaultCase(
            .resume, "a stranger's NAME.part", ["/f/a"], before: [.file("got/a.part", "mine")],
            gives: .whole("a").besides("a.part", .text("mine"))),
        FaultCase(
            .resume, "NAME.part is a link", ["/f/a"],
            before: [.file("home/victim", "mine"), .link("got/a.part", to: "../home/victim")],
            gives: .whole("a").besides("a.part", .link(to: "../home/victim"))),
        FaultCase(
            .resume, "NAME.part is a folder", ["/f/a"], before: [.folder("got/a.part")],
            gives: .whole("a").besides("a.part", .folder)),
    ]

    /// The file changes between two attempts.
    static let swaps: [FaultCase] =
        [("ETag", ""), ("Last-Modified", "&noetag&lastmodified=1000000000"), ("no validator", "&noetag")].flatMap {
            (label, options) in
            [
                FaultCase(
                    .resume, "changed while broken off, \(label)",
                    ["/f/a?size=300K&dropfirst=100K&change=1&versions=2\(options)"],
                    gives: .whole("a", 300 << 10, version: 1).or(22).keepingParts),
                FaultCase(
                    .resume, "changed after a kill, \(label)",
                    ["/f/a?size=2M&ratefirst=1M&change=1&versions=2\(options)"],
                    runs: [.killed(500 << 10), .uninterrupted],
                    gives: .whole("a", 2 << 20, version: 1).or(22).keepingParts),
                FaultCase(
                    .resume, "grown while broken off, \(label)",
                    ["/f/a?size=300K&dropfirst=100K&change=1&versions=2&grow=10K\(options)"],
                    gives: .whole("a", 310 << 10, version: 1).or(22).keepingParts),
                FaultCase(
                    .resume, "shrunk below the part, \(label)",
                    ["/f/a?size=300K&dropfirst=200K&change=1&versions=2&shrink=150K\(options)"],
                    gives: .whole("a", 150 << 10, version: 1).or(22).keepingParts),
            ]
        } + [
            FaultCase(
                .resume, "changed, with --on-change fail", ["/f/a?size=300K&dropfirst=100K&change=1"],
                [.winch("--on-change", "fail")], gives: .fails(1, 22, saying: "remote file has changed"))
        ]
}
