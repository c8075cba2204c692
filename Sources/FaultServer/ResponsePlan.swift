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

    static func json(_ value: JSONValue, for request: ReceivedRequest, now: Int64) -> ResponsePlan {
        var head = ResponseFields(status: 200, now: now)
        head.add("Content-Type", "application/json")
        return short(head, body: Array("\(value.text)\n".utf8), for: request)
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
