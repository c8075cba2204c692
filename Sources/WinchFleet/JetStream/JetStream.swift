import WinchModel

/// The JetStream API of a server: requests in JSON.
///
/// - Source: https://docs.nats.io/reference/reference-protocols/nats_api_reference
package struct JetStream: Sendable {
    package let link: NatsLink

    package init(_ link: NatsLink) { self.link = link }

    struct Refusal: Decodable {
        var code: Int
        var errorCode: Int?
        var description: String?

        enum CodingKeys: String, CodingKey {
            case code, description
            case errorCode = "err_code"
        }
    }

    private struct Envelope: Decodable {
        var error: Refusal?
    }

    /// Codes of refusals.
    ///
    /// - Source: server/errors.json of nats-server.
    enum Code {
        static let consumerNotFound = 10014
        static let noMessage = 10037
        static let notEnabledForAccount = 10039
        static let streamExists = 10058
        static let streamNotFound = 10059
        static let overlap = 10065
        static let wrongLastSequence = 10071
        static let notEnabled = 10076
    }

    /// Asks the API.
    ///
    /// - Parameter call: without the prefix `$JS.API.`.
    /// - Throws: `refused` with a `Code`, and what a request throws.
    func ask<Answer: Decodable>(
        _ call: String, _ body: (any Encodable & Sendable)? = nil, as: Answer.Type = Answer.self
    ) async throws(FleetFault) -> Answer {
        let message = try await link.request("$JS.API." + call, body.map { KeyValueBucket.encode($0) } ?? [])
        return try answer(message, to: call)
    }

    /// As `ask`.
    ///
    /// - Returns: `nil`: the server refuses with this code.
    func ask<Answer: Decodable>(
        _ call: String, _ body: (any Encodable & Sendable)? = nil, unless code: Int
    ) async throws(FleetFault) -> Answer? {
        do throws(FleetFault) {
            return try await ask(call, body, as: Answer.self)
        } catch .refused(_, code: code) {
            return nil
        }
    }

    private func answer<Answer: Decodable>(_ message: NatsMessage, to call: String) throws(FleetFault) -> Answer {
        if message.status == 503 { throw .noJetStream(server: link.shownServer) }
        let envelope: Envelope? = KeyValueBucket.decode(message.body)
        if let refusal = envelope?.error {
            let code = refusal.errorCode ?? refusal.code
            if code == Code.notEnabled || code == Code.notEnabledForAccount {
                throw .noJetStream(server: link.shownServer)
            }
            throw .refused(refusal.description ?? "", code: code)
        }
        guard let answer: Answer = KeyValueBucket.decode(message.body) else {
            throw .refused("an answer to \(call) that this winch does not understand", code: 0)
        }
        return answer
    }
}

extension JetStream {
    /// The server's receipt for a stored message.
    struct Receipt: Decodable, Sendable {
        var seq: UInt64
        /// A message with the same ID was stored before, and this one is dropped.
        var duplicate: Bool?
    }

    /// Stores a message in the stream that has the subject.
    ///
    /// - Parameter id: a second message with it is dropped.
    func store(
        _ subject: String, id: String? = nil, headers: NatsLink.Headers = FleetFormat.headers, _ body: [UInt8]
    ) async throws(FleetFault) -> Receipt {
        let all = headers + (id.map { [("Nats-Msg-Id", $0)] } ?? [])
        return try answer(try await link.request(subject, headers: all, body), to: subject)
    }

    /// As `store`, without waiting.
    ///
    /// - Parameter take: called once, on another thread; must not block. A failed one may have been stored.
    func store(
        _ subject: String, id: String, _ body: [UInt8],
        _ take: @escaping @Sendable (Result<Receipt, FleetFault>) -> Void
    ) {
        link.request(subject, headers: FleetFormat.headers + [("Nats-Msg-Id", id)], body) { outcome in
            switch outcome {
            case .message(let message):
                do throws(FleetFault) {
                    if let receipt = Self.receipt(message) { return take(.success(receipt)) }
                    take(.success(try answer(message, to: subject)))
                } catch {
                    take(.failure(error))
                }
            case .late, .lost: take(.failure(link.fault(of: subject)))
            }
        }
    }

    /// Reads the usual receipt, `{"stream":"x","seq":5}`, without the cost of a JSON decoder.
    private static func receipt(_ message: NatsMessage) -> Receipt? {
        let text = String(decoding: message.body, as: UTF8.self)
        guard text.hasPrefix("{\"stream\":"), let start = text.ranges(of: "\"seq\":").first?.upperBound else {
            return nil
        }
        guard let seq = UInt64(text[start...].prefix { $0.isNumber }) else { return nil }
        return Receipt(seq: seq, duplicate: text.contains("\"duplicate\""))
    }
}

extension JetStream {
    struct Nothing: Decodable, Sendable {}

    /// - Returns: `nil`: there is no such stream.
    func info(ofStream name: String) async throws(FleetFault) -> StreamInfo? {
        try await ask("STREAM.INFO." + name, unless: Code.streamNotFound)
    }

    /// Makes a stream, or finds the one that is there.
    ///
    /// - Parameter what: of `foreign`: what its name belongs to.
    /// - Throws: `foreign` when the name or one of its subjects belongs to another program; `otherFormat`.
    func ensure(_ settings: StreamSettings) async throws(FleetFault) {
        if let known = try await info(ofStream: settings.name) {
            return try Self.check(known.config, against: settings)
        }
        do throws(FleetFault) {
            let made: StreamInfo = try await ask("STREAM.CREATE." + settings.name, settings)
            try Self.check(made.config, against: settings)
        } catch .refused(_, code: Code.streamExists) {
            // Another client has made it meanwhile.
            guard let known = try await info(ofStream: settings.name) else {
                throw .noAnswer(to: "the stream \(settings.name)")
            }
            try Self.check(known.config, against: settings)
        } catch .refused(let words, code: Code.overlap) {
            throw .foreign(
                name: "a stream with the subject \(settings.subjects.joined(separator: ", "))", reason: words)
        }
    }

    /// Whether a stream is the one that this version would make, but for what its user may choose: replicas.
    static func check(_ known: StreamSettings, against wanted: StreamSettings) throws(FleetFault) {
        let name = "the stream \(wanted.name)"
        guard let words = known.description, words.hasPrefix(FleetFormat.mark) else {
            throw .foreign(
                name: name,
                reason: known.description.map { "it is described as '\($0.prefix(80))'" } ?? "it has no description")
        }
        let format = String(words.dropFirst(FleetFormat.mark.count).prefix { $0.isNumber })
        guard format == "\(FleetFormat.current)" else { throw .otherFormat(name, format: format) }
        guard known.subjects == wanted.subjects else {
            throw .foreign(name: name, reason: "it has other subjects: \(known.subjects.joined(separator: ", "))")
        }
        guard known.retention == wanted.retention else {
            throw .foreign(name: name, reason: "its retention is \(known.retention.rawValue)")
        }
    }

    private struct ConsumerRequest: Encodable, Sendable {
        var stream: String
        var config: ConsumerSettings

        enum CodingKeys: String, CodingKey {
            case config
            case stream = "stream_name"
        }
    }

    func ensure(_ settings: ConsumerSettings, of stream: String) async throws(FleetFault) -> ConsumerInfo {
        let call = settings.durable.map { "CONSUMER.DURABLE.CREATE.\(stream).\($0)" } ?? "CONSUMER.CREATE.\(stream)"
        return try await ask(call, ConsumerRequest(stream: stream, config: settings))
    }

    func info(ofConsumer name: String, of stream: String) async throws(FleetFault) -> ConsumerInfo? {
        try await ask("CONSUMER.INFO.\(stream).\(name)", unless: Code.consumerNotFound)
    }

    private struct Purged: Decodable, Sendable {
        var purged: UInt64
    }

    /// Removes the messages of a stream up to a sequence.
    ///
    /// - Returns: how many there were.
    func purge(_ stream: String, through sequence: UInt64) async throws(FleetFault) -> UInt64 {
        let answer: Purged = try await ask("STREAM.PURGE." + stream, ["seq": sequence + 1])
        return answer.purged
    }

    /// Removes one message; that it is gone already is no error.
    func remove(_ sequence: UInt64, from stream: String) async throws(FleetFault) {
        do throws(FleetFault) {
            let _: Nothing = try await ask("STREAM.MSG.DELETE." + stream, ["seq": sequence])
        } catch .refused(_, code: let code) where code == Code.noMessage || code == 10057 || code == 10043 {}
    }
}

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

/// How a stream is stored; durations are in nanoseconds.
///
/// - Source: https://docs.nats.io/nats-concepts/jetstream/streams
struct StreamSettings: Codable, Hashable, Sendable {
    enum Retention: String, Codable {
        case limits, workqueue
    }

    var name: String
    var description: String?
    var subjects: [String]
    var retention: Retention = .limits
    var storage = "file"
    var replicas = 1
    /// How long the IDs of messages are remembered.
    var duplicateWindow: Int64?
    /// How long messages are kept; 0: for ever.
    var maxAge: Int64 = 0
    var maxMessagesPerSubject: Int64 = -1
    var discard = "old"
    var allowsRollup: Bool?
    var allowsDirect: Bool?

    enum CodingKeys: String, CodingKey {
        case name, description, subjects, retention, storage, discard
        case replicas = "num_replicas"
        case duplicateWindow = "duplicate_window"
        case maxAge = "max_age"
        case maxMessagesPerSubject = "max_msgs_per_subject"
        case allowsRollup = "allow_rollup_hdrs"
        case allowsDirect = "allow_direct"
    }

    init(_ name: String, subjects: [String], description: String) {
        (self.name, self.subjects, self.description) = (name, subjects, description)
    }
}

/// What a server says of a stream.
struct StreamInfo: Decodable, Sendable {
    struct State: Decodable, Sendable {
        var messages: UInt64
        /// The sequence of the last message that was ever stored.
        var last: UInt64

        enum CodingKeys: String, CodingKey {
            case messages
            case last = "last_seq"
        }
    }

    var config: StreamSettings
    var state: State
}

/// How a stream's messages are handed out; durations are in nanoseconds.
struct ConsumerSettings: Codable, Hashable, Sendable {
    var durable: String?
    var description: String?
    var acknowledgement = "explicit"
    /// After this time without a sign of life a message is delivered again.
    var ackWait: Int64?
    var maxAckPending: Int64?
    var maxDeliver: Int64?
    var maxWaiting: Int64?
    var deliver = "all"
    var startSequence: UInt64?
    /// An ephemeral consumer is removed after this time without requests.
    var inactiveThreshold: Int64?
    var memory: Bool?

    enum CodingKeys: String, CodingKey {
        case description
        case durable = "durable_name"
        case acknowledgement = "ack_policy"
        case ackWait = "ack_wait"
        case maxAckPending = "max_ack_pending"
        case maxDeliver = "max_deliver"
        case maxWaiting = "max_waiting"
        case deliver = "deliver_policy"
        case startSequence = "opt_start_seq"
        case inactiveThreshold = "inactive_threshold"
        case memory = "mem_storage"
    }
}

struct ConsumerInfo: Decodable, Sendable {
    var name: String
    var config: ConsumerSettings
    /// Delivered and not acknowledged.
    var ackPending: Int
    /// Not delivered yet.
    var pending: UInt64

    enum CodingKeys: String, CodingKey {
        case name, config
        case ackPending = "num_ack_pending"
        case pending = "num_pending"
    }
}
