/// One answer from the first wait to the last byte, decided before any of it is sent.
///
/// Pure: made of a request, the behaviour that its URL asks for and the history of its key. `ResponseWriter` performs it.
struct ResponsePlan: Equatable, Sendable {
    /// For the log; 0 when the connection ends without an answer.
    var status: Int
    var steps: [Step] = []
    var ending: Ending
    /// Pace of the body, bytes per second; `nil` is as fast as the client reads.
    var rate: Int64?

    enum Step: Equatable, Sendable {
        case wait(Duration)
        /// Heads, chunk framing and everything else that is not body.
        case raw([UInt8])
        case body(BodySource)
        /// As `body`, each slice framed as a chunk.
        case chunks(BodySource)
        /// The listing of a folder from this entry on, in chunks.
        case entries(FolderListing, from: Int)
    }

    enum Ending: Equatable, Sendable {
        case keepAlive, close, reset
        /// Nothing more is sent, and the connection stays open until the client gives up.
        case hold
    }

    /// A short whole answer: an error, a redirect, a page about the server.
    ///
    /// - Parameter head: without Content-Length, which is added here.
    static func short(_ head: ResponseFields, body: [UInt8], for request: ReceivedRequest) -> ResponsePlan {
        var head = head
        let mayHaveBody = head.status >= 200 && head.status != 204 && head.status != 304
        if mayHaveBody { head.add("Content-Length", String(body.count)) }
        var plan = ResponsePlan(status: head.status, ending: request.isKeepAlive ? .keepAlive : .close)
        plan.steps = [.raw(head.bytes)]
        if mayHaveBody, !request.isHead, !body.isEmpty { plan.steps.append(.body(.bytes(body[...]))) }
        return plan
    }

    static func text(_ status: Int, _ text: String, for request: ReceivedRequest, type: String = "plain")
        -> ResponsePlan
    {
        var head = ResponseFields(status: status, for: request)
        head.add("Content-Type", "text/\(type); charset=utf-8")
        return short(head, body: Array("\(text)\n".utf8), for: request)
    }

    func delayed(by latency: Duration) -> ResponsePlan {
        guard latency > .zero else { return self }
        var plan = self
        plan.steps.insert(.wait(latency), at: 0)
        return plan
    }
}

/// The file itself, whole or in part, with its faults in the order of their effect.
extension ResponsePlan {
    static func file(_ request: ReceivedRequest, _ options: FaultOptions, _ visit: Visit) -> ResponsePlan {
        guard request.method == "GET" || request.isHead else { return text(405, "only GET and HEAD", for: request) }
        let answers = request.isHead && !options.headAnswers.isEmpty ? options.headAnswers : options.answers
        let answer = answers.inTurn(visit.number) ?? .status(200)
        if let refusal = refusal(answer, request, options) { return refusal }
        guard case .status(let code) = answer, code != 204 else { return failure(204, request, options) }
        if let status = options.rangeStatus, request.header("Range") != nil { return failure(status, request, options) }
        if let page = options.pageFrom, visit.number >= page, !request.isHead {
            // As a captive portal or an expired session sends it.
            let text = "<!DOCTYPE html><html><title>Log in</title><body>Please log in to go on.</body></html>"
            return self.text(200, text, for: request, type: "html").delayed(by: options.latency(of: request))
        }
        var plan = content(code, request, options, visit)
        let interim = options.interim.flatMap { ResponseFields.interim($0, "Link: </style.css>; rel=preload\r\n") }
        if !interim.isEmpty { plan.steps.insert(.raw(interim), at: 0) }
        return plan.delayed(by: options.latency(of: request))
    }

    private static func content(_ status: Int, _ request: ReceivedRequest, _ options: FaultOptions, _ visit: Visit)
        -> ResponsePlan
    {
        let file = Representation(options, version: options.version(visit))
        var head = ResponseFields(status: status, for: request)
        if options.isOld { head.version = "1.0" }
        let size = file.source.count
        let range = Self.range(request, options, file, visit)
        var isPart = false
        if case .part = range { isPart = true }
        let type = Array("multipart/byteranges; boundary=x".utf8)
        head.add("Content-Type", isPart && options.ranges == .multipart ? type : options.contentType)
        if !isPart || options.ranges != .bare {
            if let tag = file.entityTag { head.add("ETag", tag) }
            if let date = file.lastModified { head.add("Last-Modified", date) }
        }
        if options.ranges != .off { head.add("Accept-Ranges", "bytes") }
        if let disposition = options.disposition { head.add("Content-Disposition", disposition) }
        options.extraHeaders.forEach { head.add(line: $0) }
        if file.isKnown(to: request) {
            head.status = 304
            return short(head, body: [], for: request)
        }
        for number in 0..<options.fillerLines { head.add("X-Filler-\(number)", "x") }
        switch range {
        case .whole:
            return served(file.source, head, request, options, visit)
        case .part(let range):
            head.status = options.ranges == .ok || options.ranges == .unmarked ? 200 : 206
            let told = Array("bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)".utf8)
            if options.ranges != .unmarked { head.add("Content-Range", options.contentRange ?? told) }
            return served(file.source.slice(range), head, request, options, visit)
        case .unsatisfiable:
            head.status = 416
            head.add("Content-Range", "bytes */\(size)")
            return short(head, body: [], for: request)
        }
    }
}

extension FaultOptions {
    func latency(of request: ReceivedRequest) -> Duration { latency + (request.isHead ? headDelay : .zero) }

    /// The version of the file that a request gets, counted from 0.
    func version(_ visit: Visit) -> Int {
        fixedVersion ?? Int(min(changesEvery.map { Int64(visit.earlierGets) / $0 } ?? 0, versions - 1))
    }
}

/// `/raw`: an answer written out byte for byte in the URL.
extension ResponsePlan {
    /// Options: `bytes` (percent-encoded, beginning with the status line), `fill` (this many letters) and `wait` (seconds)
    /// are performed in the order of the URL and may be repeated. Besides these `hold`, `keep` (the connection
    /// stays open for the next request), `reset` (it ends so).
    static func raw(_ target: RequestTarget) throws(FaultServerFailure) -> ResponsePlan {
        var plan = ResponsePlan(status: 0, ending: .close)
        for option in target.options {
            switch option.name {
            case "bytes": plan.steps.append(.raw(option.bytes))
            case "fill": plan.steps.append(.raw([UInt8](repeating: UInt8(ascii: "y"), count: Int(try option.count()))))
            case "wait": plan.steps.append(.wait(try option.seconds()))
            case "keep": plan.ending = .keepAlive
            case "hold": plan.ending = .hold
            case "reset": plan.ending = .reset
            default: throw .unknownOption(option.name)
            }
        }
        return plan
    }
}
