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
        FaultCase("chunked, cut once", "/f/a?chunked&dropfirst=30K"),
        FaultCase(
            "HTTP/1.0 until close", answer("HTTP/1.0 200 OK\r\n\r\nold but whole\n"),
            gives: .files(["a": .text("old but whole\n")])),
        FaultCase("until close, then a reset", "/f/a?nolength&reset", gives: .whole("a").or(6)),
        FaultCase("until close, then a reset, no ranges", "/f/a?nolength&reset&noetag&ranges=off", gives: .fails(6)),
        FaultCase("the same length twice", "/f/a?\(header("Content-Length: 65536"))"),
        FaultCase("many heads before the answer", "/f/a?interim=100,103,102,103"),
        FaultCase("reset at the start", "/f/a?status=reset,200"),
        FaultCase("closed at the start", "/f/a?status=close,200"),
        FaultCase(
            "reset a byte before the end", "/f/a?dropfirst=65535&reset", gives: .whole("a").sending(atMost: 70 << 10)),
        FaultCase("never an answer", "/f/a?status=close", gives: .fails(6).withoutParts.requests(3...3)),
        FaultCase("silence", "/raw?wait=30 -o a \(hasty)", gives: .fails(2, saying: "stalled")),
        FaultCase("a stall that ends", "/f/a?stall=30K&stallfor=0.6", gives: .whole("a").requests(1...1)),
        FaultCase("a stall for ever", "/f/a?stall=30K \(hasty)", gives: .fails(2, saying: "stalled")),
        FaultCase("a drip", "/f/a?rate=100 \(hasty)", gives: .fails(2, saying: "stalled")),
    ]

    /// Answers that are not HTTP, or whose status and fields contradict the body or the request.
    static let lies: [FaultCase] = [
        FaultCase("a length of an exbibyte", "/f/a?length=1073741824G&ranges=off", gives: .fails(9, 22)),
        // The request asks for no coding, so the bytes are stored as they are sent.
        FaultCase(
            "an encoding nobody asked for", "/f/a?\(header("Content-Encoding: gzip"))",
            gives: .whole("a").saying("saved as sent: encoded with gzip")),
        FaultCase(
            "a header line without end",
            raw("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 1 << 14)) + "&hold -o a \(hasty)",
            gives: .fails(2, 6, 22)),
        FaultCase("204", "/f/a?status=204", gives: .fails(22).withoutParts.requests(1...1)),
        FaultCase("status 999", "/f/a?status=999", gives: .fails(22).withoutParts),
    ]
}
