/// One event of a transfer or of the queue, for front ends that write events (JSON, plain lines, the log).
///
/// `completed` and `total` are the changes that this event made to the queue's sums of bytes in its direction: their sums
/// over all events of a direction are its totals at any time.
package struct FeedEvent: Hashable, Sendable, Codable {
    /// What happened, with the data of that event.
    package enum Kind: Hashable, Sendable, Codable {
        case added(url: String, name: String)
        /// As `added`, for a transfer of an earlier run, with its state at the start of this run.
        indirect case reopened(url: String, name: String, LedgerState)
        case started(attempt: Int)
        case redirected(url: String)
        case headers(status: Int)
        /// Bytes have arrived; see `have`.
        case moved
        case rebase(Rebase.Cause)
        /// The size became known, or changed; see `size`.
        case sized
        /// The transfer is to have so many connections from now on.
        /// - Parameter open: those that it has, in the order of opening.
        case connections(Int, reason: String, open: [OpenConnection] = [])
        case paused
        case resumed
        case retrying(in: Duration, failure: TransferFailure)
        /// The file system of this folder has too little space; the transfer continues by itself when there is enough.
        case awaitingSpace(folder: String)
        indirect case warned(TransferWarning)
        case verifying
        /// The whole body of an upload has been sent.
        case replying
        case finished(TransferPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
        case removed
        /// The transfer's removal was undone.
        case restored
        /// All transfers are settled; once for each run of the queue.
        case queueFinished
    }

    /// `nil` for the queue itself.
    package var id: TransferID?
    package var direction: Direction
    package var at: Moment
    package var kind: Kind
    package var completed: Int64
    package var total: Int64
    /// Bytes of this transfer on disk after the event.
    package var have: ByteCount
    /// The size of its file; `nil` while it is not known.
    package var size: ByteCount?

    package init(
        id: TransferID?, direction: Direction = .down, at: Moment, kind: Kind, completed: Int64 = 0, total: Int64 = 0,
        have: ByteCount = .zero, size: ByteCount? = nil
    ) {
        self.id = id
        self.direction = direction
        self.at = at
        self.kind = kind
        self.completed = completed
        self.total = total
        self.have = have
        self.size = size
    }

    /// Merges the next event into this one if both are `moved` of the same transfer.
    ///
    /// - Returns: whether it was merged.
    package mutating func join(_ next: FeedEvent) -> Bool {
        guard id == next.id, case .moved = kind, case .moved = next.kind else { return false }
        (at, have, size) = (next.at, next.have, next.size)
        completed &+= next.completed
        total &+= next.total
        return true
    }
}
