extension FaultCase {
    /// How the end of a body is marked, and faults on the way to it.
    static let framing: [FaultCase] = [
        FaultCase(.framing, "an honest answer", ["/f/a"], gives: .whole("a").requests(1...1)),
        FaultCase(
            .framing, "short body once", ["/f/a?dropfirst=40K"],
            gives: .whole("a").requests(2...3).sending(atMost: 70 << 10)),
        FaultCase(
            .framing, "short body always", ["/f/a?length=128K&ranges=off"], gives: .fails(22, saying: "cut short")),
        FaultCase(.framing, "extra bytes", ["/f/a?extra=300"], gives: .whole("a")),
        FaultCase(.framing, "chunked, cut once", ["/f/a?chunked&dropfirst=30K"], gives: .whole("a")),
        FaultCase(
            .framing, "chunked without an end", ["/f/a?chunked&noend"], gives: .whole("a").or(22, 6).keepingParts),
        FaultCase(
            .framing, "chunked without an end or validator", ["/f/a?chunked&noend&noetag&ranges=off"],
            gives: .fails(22, 6)),
        FaultCase(
            .framing, "a broken chunk size",
            [raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n")],
            [.out("a")], gives: .fails(6, 22)),
        FaultCase(
            .framing, "HTTP/1.0 until close", [raw("HTTP/1.0 200 OK\r\n\r\nold but whole\n")], [.out("a")],
            gives: .files(["a": .text("old but whole\n")])),
        FaultCase(
            .framing, "HTTP/1.0 cut short", [raw("HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nold and short")],
            [.out("a")], gives: .fails(22, saying: "cut short")),
        FaultCase(
            .framing, "HTTP/0.9", [raw("just some bytes\n")], [.out("a")],
            gives: .fails(22, saying: "not HTTP").withoutParts),
        FaultCase(.framing, "until close, then a reset", ["/f/a?nolength&reset"], gives: .whole("a").or(6)),
        FaultCase(
            .framing, "until close, then a reset, no ranges", ["/f/a?nolength&reset&noetag&ranges=off"],
            gives: .fails(6)),
        FaultCase(
            .framing, "both length and chunks", ["/f/a?chunked&" + header("Content-Length: 7")], gives: .whole("a")),
        FaultCase(.framing, "the same length twice", ["/f/a?" + header("Content-Length: 65536")], gives: .whole("a")),
        FaultCase(.framing, "lengths that disagree", ["/f/a?" + header("Content-Length: 9")], gives: .fails(22, 6)),
        FaultCase(
            .framing, "bare line feeds", [raw("HTTP/1.1 200 OK\nContent-Length: 6\n\nhello\n")], [.out("a")],
            gives: .files(["a": .text("hello\n")])),
        FaultCase(.framing, "103 before the answer", ["/f/a?interim=103"], gives: .whole("a")),
        FaultCase(.framing, "many heads before the answer", ["/f/a?interim=100,103,102,103"], gives: .whole("a")),
        FaultCase(.framing, "reset at the start", ["/f/a?status=reset,200"], gives: .whole("a")),
        FaultCase(.framing, "closed at the start", ["/f/a?status=close,200"], gives: .whole("a")),
        FaultCase(
            .framing, "reset in the middle", ["/f/a?size=1M&dropfirst=500K&reset"],
            gives: .whole("a", 1 << 20).sending(atMost: 1100 << 10)),
        FaultCase(
            .framing, "reset a byte before the end", ["/f/a?dropfirst=65535&reset"],
            gives: .whole("a").sending(atMost: 70 << 10)),
        FaultCase(.framing, "never an answer", ["/f/a?status=close"], gives: .fails(6).withoutParts.requests(3...3)),
        FaultCase(
            .framing, "silence", ["/raw?latency=30"], [.out("a"), .timeout(1), .tries(1)],
            gives: .fails(2, saying: "stalled")),
        FaultCase(.framing, "a stall that ends", ["/f/a?stall=30K&stallfor=0.6"], gives: .whole("a").requests(1...1)),
        FaultCase(
            .framing, "a stall for ever", ["/f/a?stall=30K"], [.timeout(1), .tries(1)],
            gives: .fails(2, saying: "stalled")),
        FaultCase(
            .framing, "a drip", ["/f/a?rate=100"], [.timeout(1), .tries(1)], gives: .fails(2, saying: "stalled")),
    ]

    /// Answers that are not HTTP, or whose status and fields contradict the body or the request.
    static let lies: [FaultCase] = [
        FaultCase(.framing, "Content-Length: 0x10", ["/f/a?lengthraw=0x10"], gives: .fails(22, 6)),
        FaultCase(.framing, "a negative length", ["/f/a?lengthraw=-5"], gives: .fails(22, 6)),
        FaultCase(.framing, "a length of 20 digits", ["/f/a?lengthraw=99999999999999999999"], gives: .fails(22, 6)),
        FaultCase(.framing, "a length of an exbibyte", ["/f/a?length=1073741824G&ranges=off"], gives: .fails(9, 22)),
        FaultCase(.framing, "an empty length", ["/f/a?lengthraw="], gives: .whole("a").or(22, 6)),
        FaultCase(
            .framing, "an encoding nobody asked for", ["/f/a?gzip"], gives: .files(["a": .gzipped("a", size: 64 << 10)])
        ), FaultCase(.framing, "a header flood", ["/f/a?flood=1M"], gives: .fails(22, 6)),
        FaultCase(.framing, "a large head", ["/f/a?flood=48K"], gives: .whole("a")),
        FaultCase(
            .framing, "a header line without end",
            [raw("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 1 << 14)) + "&hold"],
            [.out("a"), .timeout(1), .tries(1)], gives: .fails(2, 6, 22)),
        FaultCase(.framing, "204", ["/f/a?status=204"], gives: .fails(22).withoutParts.requests(1...1)),
        FaultCase(
            .framing, "205", [raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n")], [.out("a")],
            gives: .fails(22).withoutParts),
        FaultCase(.framing, "304", ["/f/a?status=304"], gives: .fails(22, 23).withoutParts),
        FaultCase(.framing, "status 999", ["/f/a?status=999"], gives: .fails(22).withoutParts),
        FaultCase(
            .framing, "206 to no range",
            [raw("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-5/6\r\nContent-Length: 6\r\n\r\nhello\n")], [.out("a")],
            gives: .files(["a": .text("hello\n")]).or(22)),
        FaultCase(.framing, "206 without a place", ["/f/a?status=206"], gives: .fails(22)),
        FaultCase(
            .framing, "status 206 to a request for the whole file",
            [raw("HTTP/1.1 206 Part\r\nContent-Range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\nlo\n")], [.out("a")],
            gives: .fails(22)),
        FaultCase(
            .framing, "a login page in place of the file", ["/f/a.zip?size=200K&dropfirst=100K&page=2"],
            gives: .fails(1, 22, 24, 7)),
        FaultCase(
            .framing, "NUL in a header", [raw("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 6\r\n\r\nhello\n")],
            [.out("a")], gives: .files(["a": .text("hello\n")]).or(6, 22)),
    ]
}
