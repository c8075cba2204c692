public import WinchCore

extension NetworkQueue {
    /// How the whole queue stands. Figures that would not be honest are `nil`.
    public struct Progress: Hashable, Sendable {
        /// What `completed` and `total` count.
        public var mode: ProgressMode
        /// Bytes on disk, or settled transfers in simple mode.
        public var completed: Int64
        /// `nil` while no size is known at all.
        public var total: Int64?
        /// Guesses for sizes that are not known yet are in `total`.
        public var isEstimated: Bool
        /// 0...1, exactly 1 when all is settled and never before; `nil` while no size is known at all.
        public var fraction: Double?
        public var rate: ByteRate?
        /// Until everything is settled, if the rate stays.
        public var timeLeft: Duration?
        /// The last time the fraction fell, and why.
        public var rebase: Rebase?
        /// Transfers in the queue, and how many of them are in each state.
        public var count: Int
        public var waiting: Int
        public var active: Int
        /// All bytes are there; the file is being checked, synced or renamed.
        public var finishing: Int
        public var paused: Int
        /// Waiting for another attempt.
        public var backoff: Int
        public var finished: Int
        public var failed: Int
        public var cancelled: Int
        /// Everything that was added is finished, failed or cancelled.
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
