public import WinchModel

extension Transfer {
    /// The state of one transfer. Values that are not known are `nil`.
    public struct Progress: Hashable, Sendable {
        /// The phase, with the data to describe it.
        public var phase: TransferPhase
        /// The file's name on disk, or the expected one. It comes from outside: escape it before it is shown.
        public var name: String
        /// Bytes on disk, those of earlier attempts included.
        public var completed: ByteCount
        /// The file's size; `nil` while it is not known.
        public var total: ByteCount?
        /// The size is not known, or not from the response whose body is being received.
        public var isEstimated: Bool
        /// 0...1, exactly 1 when finished and never before; `nil` while the size is not known. A failed or cancelled
        /// transfer keeps the fraction at which it stopped.
        public var fraction: Double?
        /// The current rate; `nil` while nothing moves and while it is too early to estimate.
        public var rate: ByteRate?
        /// Time until the last byte arrives if the rate stays the same; `nil` while it cannot be estimated.
        public var timeLeft: Duration?
        /// Time since the last byte while the transfer is stalled; `nil` while bytes arrive.
        public var stalledFor: Duration?
        /// Time until the next attempt; `nil` when none is waited for.
        public var retriesIn: Duration?
        /// The last time that `completed` or `fraction` decreased, and why.
        public var rebase: Rebase?

        /// Finished, failed or cancelled.
        public var isSettled: Bool { phase.isSettled }

        init(_ row: TransferSnapshot, at now: Moment) {
            phase = row.phase
            name = row.name
            completed = row.have
            total = row.size.known
            isEstimated = row.size.confidence < SizeKnowledge.declared(.zero).confidence
            fraction = row.fraction
            rate = row.rate
            timeLeft = row.finish.map { max(.zero, $0 - now) }
            stalledFor = row.stalledSince.map { max(.zero, now - $0) }
            if case .backoff(let until, _, _, _) = row.phase { retriesIn = max(.zero, until - now) }
            rebase = row.rebase
        }

        /// The state in the direction that the transfer does not have.
        var ofNothing: Progress {
            var other = self
            (other.completed, other.total, other.isEstimated) = (.zero, .zero, false)
            if case .finished = phase { other.fraction = 1 } else { other.fraction = 0 }
            (other.rate, other.timeLeft, other.stalledFor, other.rebase) = (nil, nil, nil, nil)
            return other
        }
    }
}
