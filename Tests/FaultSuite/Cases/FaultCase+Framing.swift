extension FaultCase {
    /// How the end of a body is marked, and faults on the way to it.
    static let framing: [FaultCase] = [
        FaultCase(
            .framing, "an honest answer", "announces 64 KiB and sends them", ["/f/a"],
            gives: .whole("a").requests(1...1)),
        FaultCase(.framing, "an empty file", "announces 0 bytes", ["/f/a?size=0"], gives: .whole("a", 0)),
        FaultCase(
            .framing, "short body once", "announces 64 KiB, closes after 40", ["/f/a?dropfirst=40K"],
            gives: .whole("a").requests(2...3).sending(atMost: 70 << 10)),
        FaultCase(
            .framing, "short body always", "announces 128 KiB, has 64", ["/f/a?length=128K&ranges=off"],
            gives: .fails(22, saying: "cut short")),
        FaultCase(
            .framing, "extra bytes", "sends 300 bytes more than announced", ["/f/a?extra=300"], gives: .whole("a")),
        FaultCase(
            .framing, "chunked", "sends chunks, no length", ["/f/a?size=300K&chunked"], gives: .whole("a", 300 << 10)),
        FaultCase(
            .framing, "chunked, cut once", "closes in a chunk, once", ["/f/a?chunked&dropfirst=30K"], gives: .whole("a")
        ),
        FaultCase(
            .framing, "chunked without an end", "never sends the last chunk; answers 416 beyond the end",
            ["/f/a?chunked&noend"], gives: .whole("a").or(22, 6).keepingParts),
        FaultCase(
            .framing, "chunked without an end or validator", "never sends the last chunk; no ETag, no ranges",
            ["/f/a?chunked&noend&noetag&ranges=off"], gives: .fails(22, 6)),
        FaultCase(
            .framing, "a broken chunk size", "writes 'zz' where a chunk's size belongs",
            [raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n")],
            [.out("a")],
            gives: .fails(6, 22)),
        FaultCase(
            .framing, "HTTP/1.0 until close", "HTTP/1.0, no length, closes at the end",
            [raw("HTTP/1.0 200 OK\r\n\r\nold but whole\n")], [.out("a")], gives: .files(["a": .text("old but whole\n")])
        ),
        FaultCase(
            .framing, "HTTP/1.0 cut short", "HTTP/1.0, announces 100 bytes, sends 13",
            [raw("HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nold and short")], [.out("a")],
            gives: .fails(22, saying: "cut short")),
        FaultCase(
            .framing, "HTTP/0.9", "sends bytes without any head", [raw("just some bytes\n")], [.out("a")],
            gives: .fails(22, saying: "not HTTP").withoutParts),
        FaultCase(
            .framing, "until close, then a reset", "no length, RST at the end; answers 416 beyond the end",
            ["/f/a?nolength&reset"], gives: .whole("a").or(6)),
        FaultCase(
            .framing, "until close, then a reset, no ranges", "no length, RST at the end, no validator, no ranges",
            ["/f/a?nolength&reset&noetag&ranges=off"], gives: .fails(6)),
        FaultCase(
            .framing, "both length and chunks", "a false Content-Length beside chunks",
            ["/f/a?chunked&" + header("Content-Length: 7")], gives: .whole("a")),
        FaultCase(
            .framing, "the same length twice", "two equal Content-Lengths",
            ["/f/a?" + header("Content-Length: 65536")], gives: .whole("a")),
        FaultCase(
            .framing, "lengths that disagree", "two Content-Lengths, 64 KiB and 9",
            ["/f/a?" + header("Content-Length: 9")], gives: .fails(22, 6)),
        FaultCase(
            .framing, "bare line feeds", "ends its header lines with LF alone",
            [raw("HTTP/1.1 200 OK\nContent-Length: 6\n\nhello\n")], [.out("a")], gives: .files(["a": .text("hello\n")])),
        FaultCase(
            .framing, "103 before the answer", "sends 103 Early Hints first", ["/f/a?interim=103"], gives: .whole("a")),
        FaultCase(
            .framing, "many heads before the answer", "sends 100, 103, 102, 103 first",
            ["/f/a?interim=100,103,102,103"],
            gives: .whole("a")),
        FaultCase(
            .framing, "reset at the start", "RST before any answer, once", ["/f/a?status=reset,200"], gives: .whole("a")
        ),
        FaultCase(
            .framing, "closed at the start", "closes before any answer, once", ["/f/a?status=close,200"],
            gives: .whole("a")),
        FaultCase(
            .framing, "reset in the middle", "RST after 500 KiB of 1 MiB, once", ["/f/a?size=1M&dropfirst=500K&reset"],
            gives: .whole("a", 1 << 20).sending(atMost: 1100 << 10)),
        FaultCase(
            .framing, "reset a byte before the end", "RST after 65535 of 65536 bytes, once",
            ["/f/a?dropfirst=65535&reset"], gives: .whole("a").sending(atMost: 70 << 10)),
        FaultCase(
            .framing, "never an answer", "closes every connection at once", ["/f/a?status=close"],
            gives: .fails(6).withoutParts.requests(3...3)),
        FaultCase(
            .framing, "silence", "accepts and never answers", ["/raw?latency=30"], [.out("a"), .timeout(1), .tries(1)],
            gives: .fails(2, saying: "stalled")),
        FaultCase(
            .framing, "a stall that ends", "pauses for 0.6 s in the middle", ["/f/a?stall=30K&stallfor=0.6"],
            gives: .whole("a").requests(1...1)),
        FaultCase(
            .framing, "a stall for ever", "stops at 30 KiB", ["/f/a?stall=30K"], [.timeout(1), .tries(1)],
            gives: .fails(2, saying: "stalled")),
        FaultCase(
            .framing, "a drip", "sends 100 bytes a second", ["/f/a?rate=100"], [.timeout(1), .tries(1)],
            gives: .fails(2, saying: "stalled")),
    ]

    /// Answers that are not HTTP, or whose status and fields contradict the body or the request.
    static let lies: [FaultCase] = [
        FaultCase(
            .framing, "Content-Length: 0x10", "a length in hexadecimal", ["/f/a?lengthraw=0x10"], gives: .fails(22, 6)),
        FaultCase(.framing, "a negative length", "Content-Length: -5", ["/f/a?lengthraw=-5"], gives: .fails(22, 6)),
        FaultCase(
            .framing, "a length of 20 digits", "Content-Length: 99999999999999999999",
            ["/f/a?lengthraw=99999999999999999999"], gives: .fails(22, 6)),
        FaultCase(
            .framing, "a length of an exbibyte", "announces 1 EiB, has 64 KiB", ["/f/a?length=1073741824G&ranges=off"],
            gives: .fails(9, 22)),
        FaultCase(
            .framing, "an empty length", "Content-Length without a value", ["/f/a?lengthraw="],
            gives: .whole("a").or(22, 6)),
        FaultCase(
            .framing, "an encoding nobody asked for", "Content-Encoding: gzip to Accept-Encoding: identity",
            ["/f/a?gzip"], gives: .files(["a": .gzipped("a", size: 64 << 10)])),
        FaultCase(
            .framing, "a header flood", "1 MiB of header lines", ["/f/a?flood=1M"], gives: .fails(22, 6)),
        FaultCase(.framing, "a large head", "48 KiB of header lines", ["/f/a?flood=48K"], gives: .whole("a")),
        FaultCase(
            .framing, "a header line without end", "one header line of 2 MiB",
            [raw("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 1 << 14)) + "&hold"],
            [.out("a"), .timeout(1), .tries(1)],
            gives: .fails(2, 6, 22)),
        FaultCase(
            .framing, "204", "204 No Content", ["/f/a?status=204"], gives: .fails(22).withoutParts.requests(1...1)),
        FaultCase(
            .framing, "205", "205 Reset Content",
            [raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n")], [.out("a")],
            gives: .fails(22).withoutParts),
        FaultCase(
            .framing, "304", "304 to a request without a condition", ["/f/a?status=304"],
            gives: .fails(22, 23).withoutParts),
        FaultCase(.framing, "status 999", "999 and a page", ["/f/a?status=999"], gives: .fails(22).withoutParts),
        FaultCase(
            .framing, "206 to no range", "206 with a place that is the whole",
            [raw("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-5/6\r\nContent-Length: 6\r\n\r\nhello\n")], [.out("a")],
            gives: .files(["a": .text("hello\n")]).or(22)),
        FaultCase(
            .framing, "206 without a place", "206 without Content-Range to a request for all", ["/f/a?status=206"],
            gives: .fails(22)),
        FaultCase(
            .framing, "status 206 to a request for the whole file", "206 for bytes 3-5 to a request for all",
            [raw("HTTP/1.1 206 Part\r\nContent-Range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\nlo\n")], [.out("a")],
            gives: .fails(22)),
        FaultCase(
            .framing, "an error page", "404 with a page", ["/f/a?status=404&errbody=5K"],
            gives: .fails(3, saying: "404").withoutParts.requests(1...1)),
        FaultCase(
            .framing, "a login page in place of the file", "after a drop, 200 with HTML where a binary was",
            ["/f/a.zip?size=200K&dropfirst=100K&page=2"], gives: .fails(1, 22, 24, 7)),
        FaultCase(
            .framing, "NUL in a header", "a header with a NUL in it",
            [raw("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 6\r\n\r\nhello\n")], [.out("a")],
            gives: .files(["a": .text("hello\n")]).or(6, 22)),
    ]
}
