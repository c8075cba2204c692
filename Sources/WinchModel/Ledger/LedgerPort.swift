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

/// Identifies a transfer across runs. A key is never reused in one ledger.
package struct LedgerKey: Hashable, Comparable, Sendable {
    package var number: Int64

    package init(_ number: Int64) {
        self.number = number
    }

    package static func < (left: LedgerKey, right: LedgerKey) -> Bool { left.number < right.number }
}

/// One transfer as the ledger stores it: what a later run needs to resume it, and what the history shows.
package struct LedgerEntry: Hashable, Sendable {
    package var key: LedgerKey
    /// The place in the queue; lower values come first.
    package var rank: Int
    package var spec: TransferSpec
    package var standing: LedgerState
    /// The file's path below the target folder; the expected one until the server has named the file.
    package var name: String
    /// The part file on disk; `nil`: none.
    package var resume: ResumePoint?
    package var size: SizeKnowledge
    /// Attempts over all runs.
    package var attempts: Int
    /// Bytes received over the network, including those that were downloaded again.
    package var received: ByteCount
    package var addedAt: UnixTime
    package var startedAt: UnixTime?
    package var settledAt: UnixTime?
    /// Time spent on attempts and on the waits between them, without pauses and the time between runs; `nil`: not known.
    package var worked: Duration?
    /// A warning about the file, which was accepted all the same.
    package var warning: TransferWarning?
    /// The server's version of a finished file that a listing does not tell (`ListedVersion.tellsChange`); `nil`: not known.
    package var validator: Validator?

    package init(
        key: LedgerKey, rank: Int, spec: TransferSpec, standing: LedgerState, name: String,
        resume: ResumePoint? = nil, size: SizeKnowledge = .unknown(estimate: .zero), attempts: Int = 0,
        received: ByteCount = .zero, addedAt: UnixTime, startedAt: UnixTime? = nil, settledAt: UnixTime? = nil,
        worked: Duration? = nil, warning: TransferWarning? = nil, validator: Validator? = nil
    ) {
        (self.key, self.rank, self.spec, self.standing) = (key, rank, spec, standing)
        (self.name, self.resume, self.size, self.attempts) = (name, resume, size, attempts)
        (self.received, self.addedAt, self.startedAt) = (received, addedAt, startedAt)
        (self.settledAt, self.worked, self.warning, self.validator) = (settledAt, worked, warning, validator)
    }
}

extension LedgerEntry {
    /// It has finished this file, which is as long as then and was not written to since.
    package func describes(_ file: FileIdentity) -> Bool {
        guard case .finished = standing, let settledAt else { return false }
        return file.length == size.known?.bytes && file.modified / 1_000_000 <= settledAt.milliseconds
    }
}

/// A file of which the ledger knows that it is as an earlier run has finished it.
package struct FinishedFile: Hashable, Sendable, Codable {
    /// As it is on the disk.
    package var identity: FileIdentity
    /// The server's version at its first URL.
    package var validator: Validator

    package init(_ identity: FileIdentity, _ validator: Validator) {
        (self.identity, self.validator) = (identity, validator)
    }
}

/// The state of a transfer between two runs.
package enum LedgerState: Hashable, Sendable, Codable {
    /// It was waiting or had a connection when the run ended; the next run resumes it.
    case unfinished
    case paused
    case finished(TransferPhase.Outcome)
    case failed(TransferFailure)
    case cancelled

    /// The name of the state in messages and in JSON.
    package var word: String {
        switch self {
        case .unfinished: "unfinished"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
