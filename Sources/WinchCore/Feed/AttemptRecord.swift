/// One attempt at a transfer: when, where, how far, and how it ended.
public struct AttemptRecord: Hashable, Sendable, Codable {
    /// How a connection ended.
    public enum Outcome: Hashable, Sendable, Codable {
        case running
        /// The whole body came.
        case complete
        case paused
        case cancelled
        /// Winch ended, or was ended.
        case interrupted
        case failed(TransferFailure)
    }

    /// From 1, over all runs.
    public var number: Int
    /// Host and port that were talked to.
    public var host: String
    public var began: Moment
    /// `nil` while it runs, and when nobody knows.
    public var ended: Moment?
    /// Bytes on disk that it went on from.
    public var from: ByteCount
    /// Bytes on disk at its end, or now.
    public var have: ByteCount
    public var outcome: Outcome

    public init(
        number: Int, host: String, began: Moment, ended: Moment? = nil, from: ByteCount = .zero,
        have: ByteCount = .zero, outcome: Outcome = .running
    ) {
        self.number = number
        self.host = host
        self.began = began
        self.ended = ended
        self.from = from
        self.have = have
        self.outcome = outcome
    }

    /// Bytes that it brought.
    public var moved: ByteCount { max(.zero, have - from) }
}
