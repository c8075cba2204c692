/// An entry that the server has given to this worker.
struct Delivery: Hashable, Sendable {
    /// Identifies the entry in its queue.
    var sequence: UInt64
    /// How often it was given to a worker, this time included.
    var count: Int
    /// Entries that the server has not handed out yet.
    var pending: Int
    /// Where acknowledgements go.
    var reply: String
    var id: String
    var body: [UInt8]
    /// Of the message; `nil`: it has none.
    var format: String?

    /// - Returns: `nil` for a message that was not delivered by a consumer.
    init?(_ message: NatsMessage) {
        guard let reply = message.reply, let place = Self.place(reply) else { return nil }
        (sequence, count, pending, self.reply) = (place.sequence, place.count, place.pending, reply)
        // That of an entry that is tried again has a number after a dot.
        id = String((message.headers["Nats-Msg-Id"] ?? "").prefix { $0 != "." })
        body = message.body
        format = message.headers[FleetFormat.header]
    }

    init(
        sequence: UInt64, count: Int = 1, pending: Int = 0, id: String = "", body: [UInt8],
        format: String? = "\(FleetFormat.current)"
    ) {
        (self.sequence, self.count, self.pending, self.id) = (sequence, count, pending, id)
        (self.body, self.format) = (body, format)
        reply = "reply.\(sequence).\(count)"
    }

    /// Of `$JS.ACK.STREAM.CONSUMER.COUNT.SEQUENCE.CONSUMERSEQUENCE.TIME.PENDING`, which newer servers give with domain and
    /// account after `ACK`, and may give with more at the end.
    static func place(_ reply: String) -> (sequence: UInt64, count: Int, pending: Int)? {
        let parts = reply.split(separator: ".")
        guard parts.count == 9 || parts.count >= 11, parts[0] == "$JS", parts[1] == "ACK" else { return nil }
        let first = parts.count == 9 ? 4 : 6
        guard let count = Int(parts[first]), let sequence = UInt64(parts[first + 1]) else { return nil }
        return (sequence, count, max(0, Int(parts[first + 4]) ?? 0))
    }

    /// Why the message is no entry that this version understands; `nil`: it is.
    var formatFault: String? {
        switch format {
        case "\(FleetFormat.current)": nil
        case nil: "not submitted by winch: the message has no \(FleetFormat.header) header"
        case .some(let other):
            "submitted by another version of winch: format \(other.prefix(20)), this one has \(FleetFormat.current)"
        }
    }
}
