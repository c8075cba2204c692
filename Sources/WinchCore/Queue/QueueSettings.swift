/// How the queue as a whole behaves.
public struct QueueSettings: Hashable, Sendable, Codable {
    /// Transfers at a time, at least 1.
    public var slots = 4
    /// Connections per host over all transfers, at least 1.
    public var perHost = 8
    /// Connections to a host that has not answered yet, at least 1. While it lets all of them in their number doubles.
    public var perNewHost = 1
    public var mode = ProgressMode.accurate
    /// Transfers are added paused, until the user resumes them.
    public var isHeld = false
    /// The first failure stops everything.
    public var failsFast = false
    /// Over all transfers.
    public var rateLimit: ByteRate?
    /// How long transfers wait for space on a full disk while nothing moves there, before they fail; `nil`: without end.
    public var spaceWait: Duration?
    /// How long the part of a cancelled download is kept, so that undoing the cancel brings the bytes back; zero: it is
    /// removed at once, and a cancel cannot be undone.
    public var undoSpan = Duration.zero
    /// For the jitter of retries.
    public var seed: UInt64 = 0

    public init() {}

    /// Files being finished at a time, beyond the slots: each holds an open file.
    static let finishingAtOnce = 256
}
