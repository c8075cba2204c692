public import WinchCore

extension Transfer {
    /// How one transfer stands. Figures that would not be honest are `nil`.
    public struct Progress: Hashable, Sendable {
        /// Where it stands, with what is needed to say it in words.
        public var phase: RowPhase
        /// The file's name as on disk or as expected. Comes from outside: escape it before showing.
        public var name: String
        /// Bytes on disk, those of earlier attempts included.
        public var completed: ByteCount
        /// The file's size; `nil` while it is not known.
        public var total: ByteCount?
        /// The size is not known, or not from the answer that is being read.
        public var isEstimated: Bool
        /// 0...1, exactly 1 when finished and never before; `nil` while the size is not known. Of a failed or cancelled
        /// transfer it is where it stopped.
        public var fraction: Double?
        /// `nil` while nothing moves and while it is too early to tell.
        public var rate: ByteRate?
        /// Until the last byte is in, if the rate stays.
        public var timeLeft: Duration?
        /// How long no byte has come although it should; `nil` while bytes come.
        public var stalledFor: Duration?
        /// Until the next attempt starts.
        public var retriesIn: Duration?
        /// The last time `completed` or `fraction` fell, and why.
        public var rebase: Rebase?

        /// Finished, failed or cancelled.
        public var isSettled: Bool { phase.isSettled }

        init(_ row: RowState, at now: Moment) {
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

        /// Of the direction in which this transfer has nothing to move.
        var ofNothing: Progress {
            var other = self
            (other.completed, other.total, other.isEstimated) = (.zero, .zero, false)
            if case .finished = phase { other.fraction = 1 } else { other.fraction = 0 }
            (other.rate, other.timeLeft, other.stalledFor, other.rebase) = (nil, nil, nil, nil)
            return other
        }
    }
}
