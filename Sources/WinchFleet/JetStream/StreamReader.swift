import FoundationEssentials

/// Reads the messages of a stream in order, many at a time, so that the distance to the server costs little.
struct StreamReader: Sendable {
    private let jetStream: JetStream
    private let stream: String
    /// Of the consumer, which the server removes when it is not used any more.
    private let consumer: String

    struct Stored: Sendable {
        var sequence: UInt64
        var message: NatsMessage
    }

    /// - Parameter sequence: of the first message, or of the next one that there is.
    init(_ stream: String, from sequence: UInt64, at jetStream: JetStream) async throws(FleetFault) {
        var settings = ConsumerSettings()
        settings.acknowledgement = "none"
        (settings.deliver, settings.startSequence) = ("by_start_sequence", max(1, sequence))
        settings.inactiveThreshold = Self.lifetime.nanoseconds
        settings.memory = true
        (self.jetStream, self.stream) = (jetStream, stream)
        consumer = try await jetStream.ensure(settings, of: stream).name
    }

    private static let lifetime = Duration.seconds(30)
    /// A message of the server tells the end.
    private static let patience = Duration.seconds(5)

    /// - Returns: the next messages; empty at the end of the stream.
    func next(atMost most: Int) async throws(FleetFault) -> [Stored] {
        let link = jetStream.link
        let (messages, input) = AsyncStream.makeStream(of: NatsMessage?.self)
        let inbox = link.newInbox()
        let subscription = try link.subscribe(inbox) { input.yield($0) }
        let timer = Task.detached {
            try? await Task.sleep(for: Self.patience)
            input.yield(nil)
        }
        defer {
            subscription.end()
            timer.cancel()
        }
        let body = "{\"batch\":\(most),\"no_wait\":true}"
        link.publish("$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)", reply: inbox, Array(body.utf8))
        var found: [Stored] = []
        for await message in messages {
            guard let message else { throw link.fault(of: "the stream \(stream)") }
            guard message.status == nil, let place = message.reply.flatMap(Delivery.place) else { break }
            found.append(Stored(sequence: place.sequence, message: message))
            if found.count == most { break }
        }
        return found
    }
}
