public import WinchModel

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
            count = totals.count
            waiting = totals.waiting
            active = totals.active
            finishing = totals.finishing
            paused = totals.paused
            backoff = totals.backoff
            finished = totals.finished
            failed = totals.failed
            cancelled = totals.cancelled
            isSettled = totals.allSettled
        }
    }
}
