extension FaultCase {
    /// The server sends exactly this.
    private static func answer(_ bytes: String) -> String { raw(bytes) + " -o a" }

    private static let hasty = "--timeout 1 --max-tries 1"

    /// How the end of a body is marked, and faults on the way to it.
    static let framing: [FaultCase] = [
        FaultCase("an honest answer", "/f/a", gives: .whole("a").requests(1...1)),
        FaultCase(
            "short body once", "/f/a?dropfirst=40K", gives: .whole("a").requests(2...3).sending(atMost: 70 << 10)),
        FaultCase("short body always", "/f/a?length=128K&ranges=off", gives: .fails(22, saying: "cut short")),
        FaultCase("extra bytes", "/f/a?extra=300"),
        FaultCase("chunked, cut once", "/f/a?chunked&dropfirst=30K"),
        FaultCase("chunked without an end", "/f/a?chunked&noend", gives: .whole("a").or(22, 6).keepingParts),
        FaultCase("chunked without an end or validator", "/f/a?chunked&noend&noetag&ranges=off", gives: .fails(22, 6)),
        FaultCase(
            "a broken chunk size",
            answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\nworld\r\n0\r\n\r\n"),
            gives: .fails(6, 22)),
        FaultCase(
            "HTTP/1.0 until close", answer("HTTP/1.0 200 OK\r\n\r\nold but whole\n"),
            gives: .files(["a": .text("old but whole\n")])),
        FaultCase(
            "HTTP/1.0 cut short", answer("HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\nold and short"),
            gives: .fails(22, saying: "cut short")),
        FaultCase("HTTP/0.9", answer("just some bytes\n"), gives: .fails(22, saying: "not HTTP").withoutParts),
        FaultCase("until close, then a reset", "/f/a?nolength&reset", gives: .whole("a").or(6)),
        FaultCase("until close, then a reset, no ranges", "/f/a?nolength&reset&noetag&ranges=off", gives: .fails(6)),
        FaultCase("both length and chunks", "/f/a?chunked&\(header("Content-Length: 7"))"),
        FaultCase("the same length twice", "/f/a?\(header("Content-Length: 65536"))"),
        FaultCase("lengths that disagree", "/f/a?\(header("Content-Length: 9"))", gives: .fails(22, 6)),
        FaultCase(
            "bare line feeds", answer("HTTP/1.1 200 OK\nContent-Length: 6\n\nhello\n"),
            gives: .files(["a": .text("hello\n")])),
        FaultCase("103 before the answer", "/f/a?interim=103"),
        FaultCase("many heads before the answer", "/f/a?interim=100,103,102,103"),
        FaultCase("reset at the start", "/f/a?status=reset,200"),
        FaultCase("closed at the start", "/f/a?status=close,200"),
        FaultCase(
            "reset in the middle", "/f/a?size=1M&dropfirst=500K&reset",
            gives: .whole("a", 1 << 20).sending(atMost: 1100 << 10)),
        FaultCase(
            "reset a byte before the end", "/f/a?dropfirst=65535&reset", gives: .whole("a").sending(atMost: 70 << 10)),
        FaultCase("never an answer", "/f/a?status=close", gives: .fails(6).withoutParts.requests(3...3)),
        FaultCase("silence", "/raw?latency=30 -o a \(hasty)", gives: .fails(2, saying: "stalled")),
        FaultCase("a stall that ends", "/f/a?stall=30K&stallfor=0.6", gives: .whole("a").requests(1...1)),
        FaultCase("a stall for ever", "/f/a?stall=30K \(hasty)", gives: .fails(2, saying: "stalled")),
        FaultCase("a drip", "/f/a?rate=100 \(hasty)", gives: .fails(2, saying: "stalled")),
    ]

    /// Answers that are not HTTP, or whose status and fields contradict the body or the request.
    static let lies: [FaultCase] = [
        FaultCase("Content-Length: 0x10", "/f/a?length=0x10", gives: .fails(22, 6)),
        FaultCase("a negative length", "/f/a?length=-5", gives: .fails(22, 6)),
        FaultCase("a length of 20 digits", "/f/a?length=99999999999999999999", gives: .fails(22, 6)),
        FaultCase("a length of an exbibyte", "/f/a?length=1073741824G&ranges=off", gives: .fails(9, 22)),
        FaultCase("an empty length", "/f/a?length=", gives: .whole("a").or(22, 6)),
        FaultCase("an encoding nobody asked for", "/f/a?gzip", gives: .files(["a": .gzipped("a")])),
        FaultCase("a header flood", "/f/a?flood=1M", gives: .fails(22, 6)),
        FaultCase("a large head", "/f/a?flood=48K"),
        FaultCase(
            "a header line without end",
            raw("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 1 << 14)) + "&hold -o a \(hasty)",
            gives: .fails(2, 6, 22)),
        FaultCase("204", "/f/a?status=204", gives: .fails(22).withoutParts.requests(1...1)),
        FaultCase(
            "205", answer("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n"), gives: .fails(22).withoutParts),
        FaultCase("304", "/f/a?status=304", gives: .fails(22, 23).withoutParts),
        FaultCase("status 999", "/f/a?status=999", gives: .fails(22).withoutParts),
        FaultCase(
            "206 to no range",
            answer("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-5/6\r\nContent-Length: 6\r\n\r\nhello\n"),
            gives: .files(["a": .text("hello\n")]).or(22)),
        FaultCase("206 without a place", "/f/a?status=206", gives: .fails(22)),
        FaultCase(
            "status 206 to a request for the whole file",
            answer("HTTP/1.1 206 Part\r\nContent-Range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\nlo\n"),
            gives: .fails(22)),
        FaultCase(
            "a login page in place of the file", "/f/a.zip?size=200K&dropfirst=100K&page=2", gives: .fails(1, 22, 24, 7)
        ),
        FaultCase(
            "NUL in a header", answer("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 6\r\n\r\nhello\n"),
            gives: .files(["a": .text("hello\n")]).or(6, 22)),
    ]
}
