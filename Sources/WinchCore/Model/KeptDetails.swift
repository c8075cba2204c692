/// What the ledger keeps of a transfer for those who look closer in a later run. Nothing in it is secret.
public struct KeptDetails: Hashable, Sendable {
    /// The latest, ascending; at most `most`.
    public var attempts: [KeptAttempt]
    /// Where redirects led last; without a login, and without the query: that may be a key.
    public var location: String?
    /// Of the last attempt that got an answer.
    public var facts: ConnectionFacts?

    /// Attempts kept of one transfer: enough to see a pattern.
    public static let most = 20

    public init(attempts: [KeptAttempt] = [], location: String? = nil, facts: ConnectionFacts? = nil) {
        self.attempts = attempts
        self.location = location
        self.facts = facts
    }

    public var isEmpty: Bool { attempts.isEmpty && location == nil && facts == nil }

    /// Takes in what has been learned since.
    public mutating func merge(_ next: KeptDetails) {
        let first = next.attempts.first?.number ?? .max
        attempts = (attempts.filter { $0.number < first } + next.attempts).suffix(Self.most)
        guard next.facts != nil || next.location != nil else { return }
        (location, facts) = (next.location, next.facts)
    }
}

/// An attempt at a transfer, by the calendar.
public struct KeptAttempt: Hashable, Sendable {
    /// From 1, over all runs.
    public var number: Int
    public var host: String
    public var began: UnixTime
    /// `nil`: it was running when this was written.
    public var ended: UnixTime?
    /// Bytes on disk that it went on from.
    public var from: ByteCount
    /// Bytes on disk at its end.
    public var have: ByteCount
    public var outcome: AttemptRecord.Outcome

    public init(
        number: Int, host: String, began: UnixTime, ended: UnixTime? = nil, from: ByteCount = .zero,
        have: ByteCount = .zero, outcome: AttemptRecord.Outcome = .running
    ) {
        self.number = number
        self.host = host
        self.began = began
        self.ended = ended
        self.from = from
        self.have = have
        self.outcome = outcome
    }
}
