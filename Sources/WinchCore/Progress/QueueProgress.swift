/// The queue's sums, kept exact step by step: after every event they equal the fold over all transfers.
public struct QueueProgress: Hashable, Sendable {
    /// 128 bits: a hundred thousand servers that each claim 8 EiB do not overflow it.
    private var completedSum: Int128 = 0
    private var totalSum: Int128 = 0
    public private(set) var count = 0
    public private(set) var finished = 0
    public private(set) var failed = 0
    public private(set) var cancelled = 0
    private var estimated = 0
    /// Of the total, what is only guessed.
    private var estimatedSum: Int128 = 0
    /// Of `estimatedSum`, what has come.
    private var estimatedDone: Int128 = 0
    private var known = 0

    public init() {}

    /// One transfer as it counts.
    public struct Entry: Hashable, Sendable {
        public var contribution: Contribution
        /// `nil` while it is not settled.
        public var settled: SettledClass?

        public init(contribution: Contribution, settled: SettledClass?) {
            self.contribution = contribution
            self.settled = settled
        }
    }

    /// Puts a transfer's new share in place of its old; `nil` for not there.
    public mutating func replace(_ old: Entry?, with new: Entry?) {
        if let old { add(old, sign: -1) }
        if let new { add(new, sign: 1) }
    }

    /// Bytes; held at `Int64.max`.
    public var completed: Int64 { Int64(clamping: completedSum) }
    public var total: Int64 { Int64(clamping: totalSum) }
    public var settled: Int { finished + failed + cancelled }
    public var allSettled: Bool { settled == count }
    /// An estimate is in the sum.
    public var isEstimated: Bool { estimated > 0 }
    /// Bytes to come that are only guessed; held at `Int64.max`.
    public var guessed: Int64 { Int64(clamping: estimatedSum - estimatedDone) }
    /// Sizes are unknown and not one is known.
    public var isIndeterminate: Bool { estimated > 0 && known == 0 }

    /// Bytes by which the guesses in the total fall short of `mean` each; negative where they exceed it.
    func shortfall(ofGuessesFrom mean: Double) -> Double {
        Double(estimated) * mean - Double(estimatedSum)
    }

    /// Completed and total in the unit of `mode`: transfers, or bytes.
    public func counted(in mode: ProgressMode) -> (completed: Int64, total: Int64) {
        switch mode {
        case .simple: (Int64(settled), Int64(count))
        case .accurate: (completed, total)
        }
    }

    /// - Parameter hasStarted: an empty queue is at 0 before it was started, at 1 after.
    public func fraction(in mode: ProgressMode, hasStarted: Bool) -> Fraction {
        let (completed, total) = counted(in: mode)
        return Fraction(completed: completed, total: total, allSettled: allSettled && (count > 0 || hasStarted))
    }

    private mutating func add(_ entry: Entry, sign: Int) {
        let contribution = entry.contribution
        completedSum += Int128(sign) * Int128(contribution.completed)
        totalSum += Int128(sign) * Int128(contribution.total)
        count += sign
        if contribution.isEstimated {
            estimated += sign
            estimatedSum += Int128(sign) * Int128(contribution.total)
            estimatedDone += Int128(sign) * Int128(contribution.completed)
        } else if entry.settled == nil || entry.settled == .ok {
            known += sign
        }
        switch entry.settled {
        case .ok: finished += sign
        case .failed: failed += sign
        case .cancelled: cancelled += sign
        case nil: break
        }
    }
}
