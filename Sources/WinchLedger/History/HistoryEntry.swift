package import WinchModel

/// One settled transfer, as the history lists it. It contains no login.
package struct HistoryEntry: Hashable, Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        case finished(TransferPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
    }

    package var key: LedgerKey
    package var settledAt: UnixTime
    /// `nil`: no connection was made.
    package var startedAt: UnixTime?
    /// Relative to the folder. Untrusted: it is escaped before it is printed.
    package var name: String
    /// Absolute.
    package var folder: String
    /// The first mirror, without its login. Untrusted.
    package var url: String
    /// `nil`: unknown.
    package var size: ByteCount?
    /// Bytes received over the network, including those that were fetched again.
    package var received: ByteCount
    package var outcome: Outcome
    /// Spent on attempts and the waits between them; `nil`: an earlier version did not record it.
    package var worked: Duration?

    package init(
        key: LedgerKey, settledAt: UnixTime, startedAt: UnixTime?, name: String, folder: String, url: String,
        size: ByteCount?, received: ByteCount, outcome: Outcome, worked: Duration? = nil
    ) {
        self.key = key
        self.settledAt = settledAt
        self.startedAt = startedAt
        self.name = name
        self.folder = folder
        self.url = url
        self.size = size
        self.received = received
        self.outcome = outcome
        self.worked = worked
    }

    /// How long it took, without pauses and the time between runs where that is known; `nil`: no connection was made.
    package var duration: Duration? {
        startedAt.map { worked ?? .milliseconds(max(0, settledAt.milliseconds - $0.milliseconds)) }
    }
}

extension HistoryEntry {
    /// - Returns: `nil` for a transfer that is not settled.
    init?(_ entry: LedgerEntry) {
        let outcome: Outcome
        var name = entry.name
        switch entry.standing {
        case .unfinished, .paused: return nil
        case .finished(let finished):
            outcome = .finished(finished)
            switch finished {
            case .saved(let path), .skipped(let path), .alreadyComplete(let path), .sent(let path),
                .listed(let path, _):
                name = path
            }
        case .failed(let failure): outcome = .failed(failure)
        case .cancelled: outcome = .cancelled
        }
        self.init(
            key: entry.key, settledAt: entry.settledAt ?? entry.startedAt ?? entry.addedAt, startedAt: entry.startedAt,
            name: name, folder: entry.spec.folder, url: entry.spec.urls.first?.redacted ?? "", size: entry.size.known,
            received: entry.received, outcome: outcome, worked: entry.worked)
    }

    /// The standing in which it ended.
    var standing: LedgerState {
        switch outcome {
        case .finished(let finished): .finished(finished)
        case .failed(let failure): .failed(failure)
        case .cancelled: .cancelled
        }
    }
}
