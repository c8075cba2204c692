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
        /// The failure must be reported: true once in a run.
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

    /// Refuses further changes.
    ///
    /// - Returns: false when it was closed before.
    mutating func close() -> Bool {
        defer { isClosed = true }
        return !isClosed
    }

    private mutating func coalesce() {
        batches = [CoalescedChanges.of(batches.joined())]
        count = batches[0].count
    }
}

/// Reduces many changes to at most four for each transfer, with the same outcome, so that a ledger that cannot be written
/// does not fill the memory.
struct CoalescedChanges {
    /// What is left of one transfer's changes.
    private struct Rest {
        /// A settled state that `latest` has replaced: the history still needs it.
        var settled: LedgerEntry?
        var latest: LedgerEntry?
        /// For a transfer that is only in the file; otherwise `latest` contains the values.
        var advance: LedgerChange?
        var details: StoredDetails?
        var rank: Int?
        var isRemoved = false
        /// It was removed before `latest`: its earlier details are gone.
        var wasRemoved = false
    }

    private var rests: [LedgerKey: Rest] = [:]
    /// In the order of first appearance.
    private var order: [LedgerKey] = []
    /// The latest of each host.
    private var allowances: [String: LearnedHostLimit] = [:]

    /// - Parameter changes: in the order in which they were recorded.
    static func of(_ changes: some Sequence<LedgerChange>) -> [LedgerChange] {
        var coalesced = CoalescedChanges()
        for change in changes { coalesced.add(change) }
        return coalesced.changes
    }

    private mutating func add(_ change: LedgerChange) {
        guard let key = change.key else {
            if case .allowed(let allowance) = change { allowances[allowance.host] = allowance }
            return
        }
        if rests[key] == nil { order.append(key) }
        var rest = rests[key] ?? Rest()
        switch change {
        case .put(let entry):
            rest = Rest(
                settled: rest.latest?.settled ?? rest.settled, latest: entry, details: rest.details,
                isRemoved: false, wasRemoved: rest.isRemoved || rest.wasRemoved)
        case .advanced(_, let onDisk, let durable, let received):
            guard !rest.isRemoved else { break }
            if rest.latest == nil {
                rest.advance = change
            } else {
                rest.latest?.advance(onDisk: onDisk, durable: durable, received: received)
            }
        case .detailed(_, let details):
            guard !rest.isRemoved else { break }
            rest.details =
                rest.details.map { known in
                    var known = known
                    known.merge(details)
                    return known
                } ?? details
        case .ranked(_, let rank):
            guard !rest.isRemoved else { break }
            if rest.latest == nil { rest.rank = rank } else { rest.latest?.rank = rank }
        case .removed:
            rest = Rest(settled: rest.latest?.settled ?? rest.settled, isRemoved: true)
        case .allowed: break
        }
        rests[key] = rest
    }

    private var changes: [LedgerChange] {
        let ofTransfers = order.flatMap { key in
            guard let rest = rests[key] else { return [LedgerChange]() }
            return [
                rest.wasRemoved ? .removed(key) : nil, rest.settled.map(LedgerChange.put),
                rest.latest.map(LedgerChange.put), rest.advance,
                rest.details.map { .detailed(key, $0) }, rest.rank.map { .ranked(key, $0) },
                rest.isRemoved ? .removed(key) : nil,
            ].compactMap(\.self)
        }
        return ofTransfers + allowances.values.sorted { $0.host < $1.host }.map(LedgerChange.allowed)
    }
}

extension LedgerChange {
    /// The transfer that it is about; `nil`: it is about a host.
    var key: LedgerKey? {
        switch self {
        case .put(let entry): entry.key
        case .advanced(let key, _, _, _), .detailed(let key, _), .ranked(let key, _), .removed(let key): key
        case .allowed: nil
        }
    }
}

extension LedgerEntry {
    /// Applies a `LedgerChange.advanced`.
    mutating func advance(onDisk: ByteRanges, durable: ByteRanges, received: ByteCount) {
        resume?.onDisk = onDisk
        resume?.durable = durable
        self.received = received
    }

    /// Itself when it is settled.
    fileprivate var settled: LedgerEntry? { standing.isSettled ? self : nil }
}
