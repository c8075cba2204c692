/// One attempt of a transfer, which is one connection: its time, host, bytes and outcome.
public struct AttemptRecord: Hashable, Sendable, Codable {
    /// How the attempt ended.
    public enum Outcome: Hashable, Sendable, Codable {
        case running
        /// The whole body was received.
        case complete
        case paused
        case cancelled
        /// Winch quit or was killed during the attempt.
        case interrupted
        case failed(TransferFailure)
    }

    /// Counted from 1 over all runs.
    public var number: Int
    /// The server as `host`, or `host:port` when the port is not the scheme's default.
    public var host: String
    public var began: Moment
    /// `nil` while the attempt runs, and when the time is not known because an earlier run was killed.
    public var ended: Moment?
    /// Bytes on disk at which the attempt started.
    public var from: ByteCount
    /// Bytes on disk at its end; while it runs, now.
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

    /// Bytes that the attempt added; zero when it ended with fewer than it started with.
    public var moved: ByteCount { max(.zero, have - from) }
}
