public import WinchModel

extension NetworkQueue {
    /// An event of a transfer or of the queue.
    ///
    /// The events of an attempt arrive in this order: `started`, `redirected` for each redirect, `headers`, `bytes` as
    /// often as the follower keeps up, then `verifying` and `finished`, or `failed`, or `retrying` before the next
    /// attempt. `queueFinished` follows when the last transfer is settled, exactly once for each run; transfers that are
    /// added after it begin another run.
    ///
    /// Text in events comes from servers: escape it before it is shown.
    public enum Event: Hashable, Sendable {
        /// The transfer was added. `url` has no login; `name` is the expected name of the file.
        case added(TransferID, url: String, name: String)
        /// An attempt started, counted from 1.
        case started(TransferID, attempt: Int)
        /// The server redirected the request to this URL, from which the login is removed.
        case redirected(TransferID, to: String)
        /// The head of the response with the file has arrived; bytes follow. `status` is 0 for protocols without one.
        case headers(TransferID, status: Int)
        /// Bytes have arrived: bytes on disk now, and the file's size, `nil` while it is not known.
        case bytes(TransferID, have: ByteCount, size: ByteCount?)
        /// The size became known, or changed.
        case sized(TransferID, ByteCount?)
        /// Completed bytes or the fraction decreased for this reason; `nil`: those of the queue.
        case rebased(TransferID?, Rebase.Cause)
        /// The connection is closed and the part file kept, until the transfer is resumed.
        case paused(TransferID)
        /// The transfer waits for a slot again, after a pause or because it was settled and is started again.
        case resumed(TransferID)
        /// The attempt failed; the next one starts after this time.
        case retrying(TransferID, in: Duration, after: TransferFailure)
        /// The disk of this folder has too little space; the transfer continues by itself when there is enough.
        case awaitingSpace(TransferID, folder: String)
        /// The body is complete; the file is being hashed, synced and renamed.
        case verifying(TransferID)
        /// The file is complete; the path in the outcome is below the target folder.
        case finished(TransferID, TransferPhase.Outcome)
        /// The transfer failed and is not retried.
        case failed(TransferID, TransferFailure)
        /// The transfer was cancelled; its part file is removed.
        case cancelled(TransferID)
        /// All transfers are settled.
        case queueFinished
        /// So many events before this one were dropped because the follower did not keep up.
        case missed(Int)

        /// The transfer of the event; `nil` for events of the queue.
        public var transfer: TransferID? {
            switch self {
            case .added(let id, _, _), .started(let id, _), .redirected(let id, _), .headers(let id, _),
                .bytes(let id, _, _), .sized(let id, _), .paused(let id), .resumed(let id), .retrying(let id, _, _),
                .awaitingSpace(let id, _), .verifying(let id), .finished(let id, _), .failed(let id, _),
                .cancelled(let id):
                id
            case .rebased(let id, _): id
            case .queueFinished, .missed: nil
            }
        }
    }
}

extension NetworkQueue.Event {
    /// `nil` for events that do not occur in the library, such as those of transfers from earlier runs.
    init?(_ event: FeedEvent) {
        switch (event.kind, event.id) {
        case (.added(let url, let name), let id?): self = .added(id, url: url, name: name)
        case (.started(let attempt), let id?): self = .started(id, attempt: attempt)
        case (.redirected(let url), let id?): self = .redirected(id, to: url)
        case (.headers(let status), let id?): self = .headers(id, status: status)
        case (.moved, let id?): self = .bytes(id, have: event.have, size: event.size)
        case (.sized, let id?): self = .sized(id, event.size)
        case (.rebase(let cause), let id): self = .rebased(id, cause)
        case (.paused, let id?): self = .paused(id)
        case (.resumed, let id?): self = .resumed(id)
        case (.retrying(let wait, let failure), let id?): self = .retrying(id, in: wait, after: failure)
        case (.awaitingSpace(let folder), let id?): self = .awaitingSpace(id, folder: folder)
        case (.verifying, let id?): self = .verifying(id)
        case (.finished(let outcome), let id?): self = .finished(id, outcome)
        case (.failed(let failure), let id?): self = .failed(id, failure)
        case (.cancelled, let id?): self = .cancelled(id)
        case (.queueFinished, _): self = .queueFinished
        default: return nil
        }
    }
}

extension NetworkQueue {
    /// The state of the whole queue. Values that are not known are `nil`.
    public struct Progress: Hashable, Sendable {
        /// Whether `completed` and `total` count bytes (accurate) or transfers (simple).
        public var mode: ProgressMode
        /// Bytes on disk, or settled transfers in simple mode.
        public var completed: Int64
        /// In the unit of `completed`; `nil` while no size is known at all.
        public var total: Int64?
        /// `total` includes guesses for sizes that are not known yet.
        public var isEstimated: Bool
        /// 0...1, exactly 1 when all transfers are settled and never before; `nil` while no size is known at all.
        public var fraction: Double?
        /// The current rate over all transfers; `nil` while it is not known.
        public var rate: ByteRate?
        /// Time until all transfers are settled if the rate stays the same; `nil` while it cannot be estimated.
        public var timeLeft: Duration?
        /// The last time that the fraction decreased, and why.
        public var rebase: Rebase?
        /// Transfers in the queue. The following numbers add up to it.
        public var count: Int
        /// Transfers that wait for a slot, a connection to their host, or disk space.
        public var waiting: Int
        /// Transfers with a connection.
        public var active: Int
        /// Transfers whose bytes are complete, while their files are being hashed, synced or renamed.
        public var finishing: Int
        /// Transfers that wait to be resumed.
        public var paused: Int
        /// Transfers that wait for their next attempt.
        public var backoff: Int
        /// Transfers whose files are complete.
        public var finished: Int
        /// Transfers that failed and are not retried.
        public var failed: Int
        /// Transfers that were cancelled.
        public var cancelled: Int
        /// All transfers are finished, failed or cancelled.
        public var isSettled: Bool

        init(_ totals: QueueTotals, at now: Moment) {
            mode = totals.mode
            completed = totals.completed
            total = totals.isIndeterminate ? nil : totals.total
            isEstimated = totals.isEstimated
            fraction = totals.isIndeterminate ? nil : totals.fraction
            rate = totals.rate
            timeLeft = totals.finish.map { max(.zero, $0 - now) }
            rebase = totals.rebase
            (count, waiting, active, finishing) = (totals.count, totals.waiting, totals.active, totals.finishing)
            (paused, backoff, finished) = (totals.paused, totals.backoff, totals.finished)
            (failed, cancelled, isSettled) = (totals.failed, totals.cancelled, totals.allSettled)
        }
    }
}
