/// One attempt of a transfer, which is one connection: its time, host, bytes and outcome.
package struct AttemptRecord: Hashable, Sendable, Codable {
    /// How the attempt ended.
    package enum Outcome: Hashable, Sendable, Codable {
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
    package var number: Int
    /// The server as `host`, or `host:port` when the port is not the scheme's default.
    package var host: String
    package var began: Moment
    /// `nil` while the attempt runs, and when the time is not known because an earlier run was killed.
    package var ended: Moment?
    /// Bytes on disk at which the attempt started.
    package var from: ByteCount
    /// Bytes on disk at its end; while it runs, now.
    package var have: ByteCount
    package var outcome: Outcome

    package init(
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
    package var moved: ByteCount { max(.zero, have - from) }
}
