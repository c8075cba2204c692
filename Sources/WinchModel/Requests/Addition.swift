/// A transfer that joins the queue, with what an earlier run left of it.
package struct Addition: Sendable {
    package var spec: TransferSpec
    @HeapOptional package var resume: ResumePoint? = nil
    /// What the ledger says of it, with the standing in which it is to begin in this run; `nil`: it is new.
    @HeapOptional package var past: LedgerEntry? = nil
    /// The ledger has `past` otherwise.
    package var isPastChanged = false
    /// An earlier run has finished it, and its file is here: found right once more, it is no news.
    package var wasFinished = false
    /// An entry of an ended run with the same URL but for the query, whose part the transfer takes over if the server proves
    /// that it is of the same file. The ledger has no more of it then; `nil`: there is none.
    @HeapOptional package var otherQuery: LedgerEntry? = nil
    /// It was reopened from the ledger and not named in this run: how it ended is no news.
    package var isReopened = false
    /// Why it is not to be fetched now. No later run knows of it unless the user tries it again.
    package var refusal: TransferFailure?

    package init(spec: TransferSpec, resume: ResumePoint? = nil, refusal: TransferFailure? = nil) {
        self.spec = spec
        self.resume = resume
        self.refusal = refusal
    }

    /// A bound for a count from a file, which may still grow.
    private static let mostAttempts = Int(Int32.max)

    /// As an earlier run left it. One that was killed while an upload was under way has not told how that ended.
    package init(_ entry: LedgerEntry) {
        let unanswered = entry.standing.isOpen ? entry.resume?.unanswered : nil
        self.init(entry, as: unanswered.map(LedgerState.failed) ?? entry.standing, spec: entry.spec)
        isPastChanged = unanswered != nil
        isReopened = unanswered == nil
    }

    /// What an earlier run has of the same, to begin in this one at another point.
    ///
    /// - Parameter spec: how it is wanted now.
    package init(_ entry: LedgerEntry, as standing: LedgerState, spec: TransferSpec) {
        self.spec = spec
        resume = entry.resume?.unanswered == nil ? entry.resume?.trusted : nil
        var past = entry
        (past.standing, past.attempts) = (standing, min(max(0, entry.attempts), Self.mostAttempts))
        self.past = past
        isPastChanged = true
    }
}

/// What the entries that a listing has named come to.
package struct Admitted: Sendable {
    /// To be transferred, or sub-folders to be listed.
    package var additions: [Addition]
    /// Files that are here already as the server has them, and their bytes. They get no rows.
    package var unchanged = 0
    package var unchangedBytes: Int64 = 0

    package init(_ additions: [Addition]) {
        self.additions = additions
    }
}

extension ResumePoint {
    /// With no more bytes than are sure to be there.
    fileprivate var trusted: ResumePoint {
        var point = self
        if isAfterReboot { point.onDisk = onDisk.intersection(durable) }
        return point
    }
}

extension Addition {
    /// The event that follows the one of its addition; `nil`: none does.
    package var followUpEvent: FeedEvent.Kind? {
        if let refusal { return .failed(refusal) }
        if isReopened { return nil }
        switch past?.standing {
        case .unfinished, .paused, nil: return nil
        case .finished(let outcome): return .finished(outcome)
        case .failed(let failure): return .failed(failure)
        case .cancelled: return .cancelled
        }
    }

    package func arrival(url: String, name: String) -> FeedEvent.Kind {
        past.map { .reopened(url: url, name: name, $0.standing) } ?? .added(url: url, name: name)
    }

    package func isPaused(whenHeld isHeld: Bool) -> Bool {
        isHeld || past.map { $0.standing == .paused } ?? spec.startsPaused
    }
}
