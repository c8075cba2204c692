import WinchModel

/// Changes that are not in the file yet.
struct Backlog {
    /// In the order in which they were recorded.
    private var batches: [[LedgerChange]] = []
    private var count = 0
    /// The writer has been scheduled and has not taken the changes yet.
    private var isWriterScheduled = false
    private var isClosed = false
    private var hasReported = false
    private var isRetryDue = false

    /// Above this number waiting changes are coalesced: a queue of a hundred thousand entries, added at once, is not copied,
    /// and a disk that blocks for minutes does not fill the memory.
    static let longest = 200_000

    /// - Returns: whether the caller must schedule the writer.
    mutating func add(_ changes: [LedgerChange]) -> Bool {
        guard !isClosed, !changes.isEmpty else { return false }
        batches.append(changes)
        count += changes.count
        if count > Self.longest { coalesce() }
        defer { isWriterScheduled = true }
        return !isWriterScheduled
    }

    /// Removes and returns all that waits; the next `add` asks for the writer again.
    mutating func take() -> [[LedgerChange]] {
        defer { (batches, count, isWriterScheduled) = ([], 0, false) }
        return batches
    }

    /// As `take`, for the retry that `putBack` asked for.
    mutating func takeAgain() -> [[LedgerChange]] {
        isRetryDue = false
        return take()
    }

    /// What the caller must do about a batch that could not be written.
    struct RetryAdvice: Equatable {
        /// The failure must be reported: true once until a batch is written.
        var needsReport: Bool
        /// `takeAgain` must be called later.
        var needsRetry: Bool
    }

    /// Keeps changes that could not be written, before those added since.
    mutating func putBack(_ changes: [[LedgerChange]]) -> RetryAdvice {
        let advice = RetryAdvice(needsReport: !hasReported, needsRetry: !isRetryDue && !isClosed)
        (hasReported, isRetryDue) = (true, true)
        batches = changes + batches
        coalesce()
        return advice
    }

    /// A failure is reported: the next batch that is written ends it.
    mutating func noteFailure() { hasReported = true }

    /// A batch has been written.
    ///
    /// - Returns: whether that ends a failure.
    mutating func noteWritten() -> Bool {
        defer { hasReported = false }
        return hasReported
    }

    /// Refuses further changes.
    ///
    /// - Returns: false when it was closed before.
    mutating func close() -> Bool {
        defer { isClosed = true }
        return !isClosed
    }

    private mutating func coalesce() {
        batches = [Self.coalesced(batches)]
        count = batches[0].count
    }

    /// Leaves out what later changes replace: at most six changes remain of each transfer, with the same outcome, so that a ledger
    /// that cannot be written does not fill the memory.
    ///
    /// - Parameter batches: in the order in which they were recorded.
    static func coalesced(_ batches: [[LedgerChange]]) -> [LedgerChange] {
        var later: Set<Subject> = []
        var details: [LedgerKey: StoredDetails] = [:]
        var kept: [LedgerChange] = []
        for change in batches.joined().reversed() {
            switch change {
            case .put(let entry):
                let key = entry.key
                // The history needs a settled state that is not the latest.
                guard
                    later.insert(.entry(key)).inserted
                        || entry.standing.isSettled && later.insert(.settled(key)).inserted
                else { continue }
                later.formUnion([.progress(key), .rank(key)])
            case .advanced(let key, _, _, _):
                guard later.insert(.progress(key)).inserted else { continue }
            case .ranked(let key, _):
                guard later.insert(.rank(key)).inserted else { continue }
            case .removed(let key):
                guard later.insert(.removal(key)).inserted else { continue }
                later.formUnion([.entry(key), .progress(key), .rank(key)])
            case .detailed(let key, var merged):
                guard !later.contains(.removal(key)) else { continue }
                if let newer = details[key] { merged.merge(newer) }
                details[key] = merged
                continue
            }
            kept.append(change)
        }
        kept.reverse()
        return kept + details.map { LedgerChange.detailed($0.key, $0.value) }
    }

    /// What a change sets.
    private enum Subject: Hashable {
        case entry(LedgerKey), settled(LedgerKey), progress(LedgerKey), rank(LedgerKey), removal(LedgerKey)
    }
}
