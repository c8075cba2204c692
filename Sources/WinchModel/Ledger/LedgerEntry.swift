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
