/// Names a transfer across runs. Never used twice in one ledger.
public struct LedgerKey: Hashable, Comparable, Sendable, Codable {
    public var number: Int64

    public init(_ number: Int64) {
        self.number = number
    }

    public static func < (left: LedgerKey, right: LedgerKey) -> Bool { left.number < right.number }
}

/// One transfer as the ledger keeps it: everything that a later run needs to go on, and what a person may look up.
public struct LedgerEntry: Hashable, Sendable, Codable {
    public var key: LedgerKey
    /// Place in the queue; lower comes first.
    public var rank: Int
    public var spec: TransferSpec
    public var standing: LedgerStanding
    /// The name below the target folder, as far as it is known.
    public var name: String
    /// What lies on disk; `nil`: nothing.
    public var resume: ResumePoint?
    public var size: SizeKnowledge
    /// Connections made so far.
    public var attempts: Int
    /// Bytes that came over the network, also those that were fetched again.
    public var hauled: ByteCount
    public var addedAt: UnixTime
    public var startedAt: UnixTime?
    public var settledAt: UnixTime?
    /// Spent on attempts and the waits between them, without pauses and the time between runs; `nil`: not known.
    public var worked: Duration?
    /// What is odd about the file.
    public var warning: TransferWarning?

    public init(
        key: LedgerKey, rank: Int, spec: TransferSpec, standing: LedgerStanding, name: String,
        resume: ResumePoint? = nil, size: SizeKnowledge = .unknown(estimate: .zero), attempts: Int = 0,
        hauled: ByteCount = .zero, addedAt: UnixTime, startedAt: UnixTime? = nil, settledAt: UnixTime? = nil,
        worked: Duration? = nil, warning: TransferWarning? = nil
    ) {
        self.key = key
        self.rank = rank
        self.spec = spec
        self.standing = standing
        self.name = name
        self.resume = resume
        self.size = size
        self.attempts = attempts
        self.hauled = hauled
        self.addedAt = addedAt
        self.startedAt = startedAt
        self.settledAt = settledAt
        self.worked = worked
        self.warning = warning
    }
}

/// Where a transfer stands between two runs.
public enum LedgerStanding: Hashable, Sendable, Codable {
    /// To go on with: waiting, or on a connection when the run ended.
    case unfinished
    case paused
    case finished(RowPhase.Outcome)
    case failed(TransferFailure)
    case cancelled

    /// How it is called, for people and programs alike.
    public var word: String {
        switch self {
        case .unfinished: "unfinished"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
