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
