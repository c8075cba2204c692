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
        var bytes: UInt64
        var first: UInt64
        /// The sequence of the last message that was ever stored.
        var last: UInt64

        enum CodingKeys: String, CodingKey {
            case messages, bytes
            case first = "first_seq"
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

extension Duration {
    /// For JetStream.
    var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
