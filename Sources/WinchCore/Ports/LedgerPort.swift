/// Where the queue is kept across runs. Every call returns at once; the work is done in the order of the calls.
public protocol LedgerPort: Sendable {
    /// Writes these in one transaction.
    func record(_ changes: [LedgerChange])
    /// What is kept of a transfer's attempts, with all that was recorded before; `nil`: nothing.
    func details(of key: LedgerKey) async -> KeptDetails?
    /// Returns when everything recorded is in the file.
    func close() async
}

/// One thing for the ledger to remember.
public enum LedgerChange: Hashable, Sendable {
    /// The whole of a transfer: added, or changed in more than its bytes.
    case put(LedgerEntry)
    /// Bytes have come; everything else is as it was.
    case advanced(LedgerKey, have: ByteCount, durable: ByteCount, hauled: ByteCount)
    /// Attempts that are new or otherwise now, and the last answer; earlier ones stay.
    case detailed(LedgerKey, KeptDetails)
    /// Another place in the queue.
    case ranked(LedgerKey, Int)
    /// Taken off the list by a person; the history keeps it.
    case removed(LedgerKey)
}
