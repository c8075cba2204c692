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
    /// The user removed the transfer from the list; the history keeps it.
    case removed(LedgerKey)
    /// A host was found to allow so many connections for one file.
    case allowed(LearnedHostLimit)
}
