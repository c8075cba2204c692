/// One thing that happened to a transfer or the queue, for faces that write events down.
///
/// `completed` and `total` are the changes this event made to the queue's accurate sums of its direction, so that adding
/// them up over all events of a direction gives its totals at any time.
public struct FeedEvent: Hashable, Sendable, Codable {
    /// What happened.
    public enum Kind: Hashable, Sendable, Codable {
        case added(url: String, name: String)
        /// As `added`, of one that an earlier run has left; where it begins in this one.
        indirect case reopened(url: String, name: String, LedgerStanding)
        case started(attempt: Int)
        case redirected(url: String)
        case headers(status: Int)
        case moved
        case rebase(Rebase.Cause)
        case sized
        case paused
        case resumed
        case retrying(in: Duration, failure: TransferFailure)
        /// There is no room for it on the file system of this folder; it goes on by itself when there is.
        case awaitingSpace(folder: String)
        case verifying
        /// An upload is sent whole.
        case replying
        case finished(RowPhase.Outcome)
        case failed(TransferFailure)
        case cancelled
        case removed
        /// Removed transfers came back.
        case restored
        /// Everything is settled; once per run of the queue.
        case queueFinished
    }

    /// `nil` for the queue itself.
    public var id: TransferID?
    public var direction: Direction
    public var at: Moment
    public var kind: Kind
    public var completed: Int64
    public var total: Int64
    /// Bytes of this transfer on disk after the event, and its size if known.
    public var have: ByteCount
    public var size: ByteCount?

    public init(
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

    /// Takes the next event in, when both only moved the same transfer.
    mutating func join(_ next: FeedEvent) -> Bool {
        guard id == next.id, case .moved = kind, case .moved = next.kind else { return false }
        (at, have, size) = (next.at, next.have, next.size)
        completed += next.completed
        total += next.total
        return true
    }
}
