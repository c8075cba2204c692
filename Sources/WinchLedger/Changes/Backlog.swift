import WinchCore

/// Changes on their way to the file.
struct Backlog {
    /// In the order of happening.
    private var batches: [[LedgerChange]] = []
    private var count = 0
    /// The writer has been called and will come.
    private var isAwaited = false
    private var isClosed = false
    private var hasTold = false
    private var isRetryDue = false

    /// Beyond so many waiting changes they are coalesced: a queue of a hundred thousand comes at once and is not
    /// copied, a disk that stands still for minutes does not fill the memory.
    static let longest = 200_000

    /// - Returns: whether the writer is to be called.
    mutating func add(_ changes: [LedgerChange]) -> Bool {
        guard !isClosed, !changes.isEmpty else { return false }
        batches.append(changes)
        count += changes.count
        if count > Self.longest { coalesce() }
        defer { isAwaited = true }
        return !isAwaited
    }

    /// All that waits; the next `add` calls the writer again.
    mutating func take() -> [[LedgerChange]] {
        defer { (batches, count, isAwaited) = ([], 0, false) }
        return batches
    }

    /// As `take`, for the writer that was told to try again.
    mutating func takeAgain() -> [[LedgerChange]] {
        isRetryDue = false
        return take()
    }

    /// What follows from a batch that could not be written.
    struct Setback: Equatable {
        /// Once in a run.
        var isToBeTold: Bool
        /// `takeAgain` is to be called later.
        var isToBeRetried: Bool
    }

    /// They could not be written: they come before what has been added since.
    mutating func putBack(_ changes: [[LedgerChange]]) -> Setback {
        let setback = Setback(isToBeTold: !hasTold, isToBeRetried: !isRetryDue && !isClosed)
        (hasTold, isRetryDue) = (true, true)
        batches = changes + batches
        coalesce()
        return setback
    }

    /// Takes no more.
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
