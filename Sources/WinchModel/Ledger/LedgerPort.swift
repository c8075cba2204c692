/// Stores the queue across runs. Every call returns at once; the work is done in the order of the calls.
package protocol LedgerPort: Sendable {
    /// Writes the changes in one transaction.
    func record(_ changes: [LedgerChange])
    /// The stored details of a transfer, including all changes that were recorded before this call; `nil`: none.
    func details(of key: LedgerKey) async -> StoredDetails?
    /// Returns when all changes that were recorded before this call are in the file.
    func flush() async
    /// Returns when all recorded changes are in the file, and closes it.
    func close() async
}

/// One change for the ledger to store.
package enum LedgerChange: Hashable, Sendable {
    /// The complete entry of a transfer that was added, or of which more than the bytes changed.
    case put(LedgerEntry)
    /// The transfer received bytes and is otherwise unchanged.
    case advanced(LedgerKey, onDisk: ByteRanges, durable: ByteRanges, received: ByteCount)
    /// New or changed attempts and the last response; earlier attempts are kept.
    case detailed(LedgerKey, StoredDetails)
    /// The transfer has this rank in the queue now.
    case ranked(LedgerKey, Int)
    /// The user removed the transfer from the list, or another has taken over its part; the history keeps it.
    case removed(LedgerKey)
}

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
        (self.attempts, self.reply, self.location, self.facts) = (attempts, reply, location, facts)
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
