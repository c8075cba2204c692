import CNats

/// A message from the server.
package struct NatsMessage: Sendable {
    package var subject: String
    /// Where an answer or an acknowledgement goes.
    package var reply: String?
    package var body: [UInt8]
    /// Of a message of the server itself, e.g. 503: nothing listens to the subject; `nil`: it is a common one.
    package var status: Int?
    package var headers: [String: String]

    /// The headers that are read.
    private static let known = [
        FleetFormat.header, "Description", "Nats-Sequence", "Nats-Subject", "Nats-Time-Stamp", "KV-Operation",
        "Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence",
    ]

    init(_ message: OpaquePointer) {
        subject = winch_nats_subject(message).map { String(cString: $0) } ?? ""
        reply = winch_nats_reply(message).map { String(cString: $0) }
        var length = 0
        let start = winch_nats_body(message, &length)
        body = Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length))
        status = winch_nats_header(message, "Status").flatMap { Int(String(cString: $0)) }
        headers = [:]
        for name in Self.known {
            if let value = winch_nats_header(message, name) { headers[name] = String(cString: value) }
        }
    }

    package init(subject: String, reply: String? = nil, body: [UInt8] = [], headers: [String: String] = [:]) {
        (self.subject, self.reply, self.body, self.headers) = (subject, reply, body, headers)
    }
}
