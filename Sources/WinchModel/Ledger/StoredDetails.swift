/// The part of a transfer's details that the ledger stores, for the details of a later run. It contains no secrets.
package struct StoredDetails: Hashable, Sendable {
    /// The latest attempts, ascending; at most `most`.
    package var attempts: [StoredAttempt]
    /// The URL after redirects, without a login, and without the query, which may contain a key. `nil` without redirects.
    package var location: String?
    /// From the last attempt that got a response.
    package var facts: ConnectionFacts?
    /// The answer to an upload, which goes with `facts`.
    package var reply: ServerReply?

    /// How many attempts are stored for one transfer: enough to recognise repeated failures.
    package static let most = 20

    package init(
        attempts: [StoredAttempt] = [], location: String? = nil, facts: ConnectionFacts? = nil,
        reply: ServerReply? = nil
    ) {
        self.attempts = attempts
        self.reply = reply
        self.location = location
        self.facts = facts
    }

    package var isEmpty: Bool { attempts.isEmpty && location == nil && facts == nil && reply == nil }

    /// Adds newer details. Attempts from the first number in `next` on are replaced.
    package mutating func merge(_ next: StoredDetails) {
        let first = next.attempts.first?.number ?? .max
        attempts = (attempts.filter { $0.number < first } + next.attempts).suffix(Self.most)
        guard next.facts != nil || next.location != nil || next.reply != nil else { return }
        (location, facts, reply) = (next.location, next.facts, next.reply)
    }
}

/// `AttemptRecord` in calendar time, for the ledger.
package struct StoredAttempt: Hashable, Sendable {
    /// Counted from 1 over all runs.
    package var number: Int
    package var host: String
    package var began: UnixTime
    /// `nil`: the attempt was running when the record was written.
    package var ended: UnixTime?
    /// Bytes on disk at which the attempt started.
    package var from: ByteCount
    /// Bytes on disk at its end.
    package var have: ByteCount
    package var outcome: AttemptRecord.Outcome

    package init(
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
