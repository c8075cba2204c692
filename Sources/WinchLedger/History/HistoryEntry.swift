public import WinchCore

/// One transfer that was settled, as a person may look it up. Nothing in it is secret.
public struct HistoryEntry: Hashable, Sendable {
    /// How it ended.
    public enum Outcome: Hashable, Sendable {
        case finished(RowPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
    }

    public var key: LedgerKey
    public var settledAt: UnixTime
    /// `nil`: no connection was made.
    public var startedAt: UnixTime?
    /// Below the folder; comes from outside, so a face escapes it before showing.
    public var name: String
    /// Absolute.
    public var folder: String
    /// The first mirror, without a login; comes from outside.
    public var url: String
    /// `nil`: it was never known.
    public var size: ByteCount?
    /// Bytes that came over the network, also those that were fetched again.
    public var hauled: ByteCount
    public var outcome: Outcome
    /// Spent on attempts and the waits between them; `nil`: an earlier version did not say.
    public var worked: Duration?

    public init(
        key: LedgerKey, settledAt: UnixTime, startedAt: UnixTime?, name: String, folder: String, url: String,
        size: ByteCount?, hauled: ByteCount, outcome: Outcome, worked: Duration? = nil
    ) {
        self.key = key
        self.settledAt = settledAt
        self.startedAt = startedAt
        self.name = name
        self.folder = folder
        self.url = url
        self.size = size
        self.hauled = hauled
        self.outcome = outcome
        self.worked = worked
    }

    /// How long it took, pauses and the time between runs left out where that is known; `nil`: no connection was made.
    public var duration: Duration? {
        startedAt.map { worked ?? .milliseconds(max(0, settledAt.milliseconds - $0.milliseconds)) }
    }
}

extension HistoryEntry {
    /// - Returns: `nil` for what is not settled.
    init?(_ entry: LedgerEntry) {
        let outcome: Outcome
        var name = entry.name
        switch entry.standing {
        case .unfinished, .paused: return nil
        case .finished(let finished):
            outcome = .finished(finished)
            switch finished {
            case .saved(let path), .skipped(let path), .alreadyComplete(let path): name = path
            }
        case .failed(let failure): outcome = .failed(failure)
        case .cancelled: outcome = .cancelled
        }
        self.init(
            key: entry.key, settledAt: entry.settledAt ?? entry.startedAt ?? entry.addedAt, startedAt: entry.startedAt,
            name: name, folder: entry.spec.folder, url: entry.spec.urls.first?.redacted ?? "", size: entry.size.known,
            hauled: entry.hauled, outcome: outcome, worked: entry.worked)
    }

    /// The standing that it ended with.
    var standing: LedgerStanding {
        switch outcome {
        case .finished(let finished): .finished(finished)
        case .failed(let failure): .failed(failure)
        case .cancelled: .cancelled
        }
    }
}
