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

    static func text(_ status: Int, _ text: String, for request: ReceivedRequest, now: Int64) -> ResponsePlan {
        var head = ResponseFields(status: status, now: now)
        head.add("Content-Type", "text/plain; charset=utf-8")
        return short(head, body: Array("\(text)\n".utf8), for: request)
    }

    /// The connection ends without an answer.
    static func silence(_ ending: Ending) -> ResponsePlan { ResponsePlan(status: 0, ending: ending) }

    func delayed(by latency: Duration) -> ResponsePlan {
        guard latency > .zero else { return self }
        var plan = self
        plan.steps.insert(.wait(latency), at: 0)
        return plan
    }
}

/// The file itself, whole or in part, with its faults in the order of their effect.
extension ResponsePlan {
    static func file(_ request: ReceivedRequest, _ behaviour: FaultOptions, visit: Visit, now: Int64) -> ResponsePlan {
        let latency = behaviour.latency + (request.isHead ? behaviour.headDelay : .zero)
        switch answer(behaviour, isHead: request.isHead, visit) {
        case .close: return silence(.close).delayed(by: latency)
        case .reset: return silence(.reset).delayed(by: latency)
        case .status(let code) where !(200...299).contains(code) || code == 204:
            return failure(code, request, behaviour, now: now)
        case .status(let code):
            let representation = Representation(behaviour, version: behaviour.version(visit))
            if let page = behaviour.pageFrom, visit.number >= page, !request.isHead {
                return self.page(for: request, now: now).delayed(by: latency)
            }
            var plan = file(representation, code, request, behaviour, visit, now: now)
            plan.addInterimHeads(behaviour)
            return plan.delayed(by: latency)
        }
    }

    private static func file(
        _ file: Representation, _ status: Int, _ request: ReceivedRequest, _ behaviour: FaultOptions, _ visit: Visit,
        now: Int64
    ) -> ResponsePlan {
        var head = ResponseFields(status: status, now: now)
        if behaviour.isOld { head.version = "1.0" }
        let size = file.source.count
        let range = Self.range(request, behaviour, file, visit)
        var isPart = false
        if case .part = range { isPart = true }
        let type = Array("multipart/byteranges; boundary=x".utf8)
        head.add("Content-Type", isPart && behaviour.ranges == .multipart ? type : behaviour.contentType)
        if !isPart || behaviour.ranges != .bare {
            if let tag = file.entityTag { head.add("ETag", tag) }
            if let date = file.lastModified { head.add("Last-Modified", date) }
        }
        if behaviour.ranges != .ignored { head.add("Accept-Ranges", "bytes") }
        head.addFaults(behaviour)

        switch range {
        case .whole:
            return served(file.source, head, request, behaviour, visit)
        case .part(let range):
            head.status = 206
            let told = Array("bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)".utf8)
            head.add("Content-Range", behaviour.contentRange ?? told)
            return served(file.source.slice(range), head, request, behaviour, visit)
        case .unsatisfiable:
            head.status = 416
            head.add("Content-Range", "bytes */\(size)")
            return short(head, body: [], for: request)
        }
    }
}

/// `/raw`: an answer written out byte for byte in the URL.
extension ResponsePlan {
    /// Options: `bytes` (percent-encoded, beginning with the status line), `fill` (this many letters) and `wait` (seconds)
    /// are performed in the order of the URL and may be repeated. Besides these `latency`, `hold`, `keep` (the
    /// connection stays open for the next request).
    static func raw(_ target: RequestTarget) throws(FaultServerFailure) -> ResponsePlan {
        var plan = ResponsePlan(status: 0, ending: .close)
        var latency = Duration.zero
        for option in target.options {
            switch option.name {
            case "bytes": plan.steps.append(.raw(option.bytes))
            case "fill": plan.steps.append(.raw([UInt8](repeating: UInt8(ascii: "y"), count: Int(try option.count()))))
            case "wait": plan.steps.append(.wait(try option.seconds()))
            case "latency": latency = try option.seconds()
            case "keep": plan.ending = .keepAlive
            case "hold": plan.ending = .hold
            default: throw .unknownOption(option.name)
            }
        }
        return plan.delayed(by: latency)
    }
}
