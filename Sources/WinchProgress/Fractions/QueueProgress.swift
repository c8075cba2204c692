package import WinchModel

/// The queue's sums, kept exact step by step: after every event they equal the fold over all transfers.
package struct QueueProgress: Hashable, Sendable {
    /// 128 bits: a hundred thousand servers that each claim 8 EiB do not overflow it.
    private var completedSum: Int128 = 0
    private var totalSum: Int128 = 0
    package private(set) var count = 0
    package private(set) var finished = 0
    package private(set) var failed = 0
    package private(set) var cancelled = 0
    /// Folders that are to be listed: more transfers follow, whose number and sizes are not known.
    package var openListings = 0
    private var estimated = 0
    /// Of the total, what is only guessed.
    private var estimatedSum: Int128 = 0
    /// Of `estimatedSum`, what has come.
    private var estimatedDone: Int128 = 0
    private var known = 0
    /// Transfers of unknown size that never began: each counts with `guess`, whatever that comes to be.
    private var unstarted = 0
    /// What a size that is not known is taken for; bytes.
    package var guess = KnownSizes.firstGuess.bytes

    /// By how a transfer ended: what it stands for in a bar of shares; of what is not settled, what has come.
    private var succeededSum: Int128 = 0
    private var failedSum: Int128 = 0
    private var cancelledSum: Int128 = 0
    private var unsettledSum: Int128 = 0
    /// Bytes that came of what failed or was cancelled.
    private var failedDone: Int128 = 0
    private var cancelledDone: Int128 = 0

    package init() {}

    /// One transfer as it counts.
    package struct Entry: Hashable, Sendable {
        package var contribution: Contribution
        /// `nil` while it is not settled.
        package var settled: SettledClass?
        /// Bytes that it stands for in a bar of shares once it failed or was cancelled: its size, as far as known.
        package var extent: Int64
        /// Of unknown size and never begun: the total of its contribution is nothing, the queue's guess stands for it.
        package var isUnstarted = false

        package init(contribution: Contribution, settled: SettledClass?, extent: Int64 = 0) {
            (self.contribution, self.settled, self.extent) = (contribution, settled, extent)
        }
    }

    /// Puts a transfer's new share in place of its old; `nil` for not there.
    package mutating func replace(_ old: Entry?, with new: Entry?) {
        if let old { add(old, sign: -1) }
        if let new { add(new, sign: 1) }
    }

    /// Bytes; held at `Int64.max`.
    package var completed: Int64 { Int64(clamping: completedSum) }
    package var total: Int64 { Int64(clamping: totalSum + unstartedSum) }
    private var unstartedSum: Int128 { Int128(unstarted) * Int128(guess) }
    package var settled: Int { finished + failed + cancelled }
    package var allSettled: Bool { settled == count && openListings == 0 }
    package var isEstimated: Bool { estimated > 0 || openListings > 0 }
    /// Bytes to come that are only guessed; held at `Int64.max`.
    package var guessed: Int64 { Int64(clamping: estimatedSum + unstartedSum - estimatedDone) }
    package var hasKnown: Bool { known > 0 }
    /// Sizes are unknown and not one is known.
    package var isIndeterminate: Bool { isEstimated && known == 0 }

    /// Bytes still to come where each unknown size is taken for `mean`; of those that have begun at least a part of it is
    /// to come, however much came.
    package func left(mean: Double) -> Double {
        let known = (totalSum - estimatedSum) - (completedSum - estimatedDone)
        let begun = Double(estimated - unstarted) * mean
        return Double(known) + Double(unstarted) * mean + max(begun - Double(estimatedDone), begun * Self.leastLeft)
    }

    /// Of files of one size half is to come on average.
    private static let leastLeft = 0.4

    /// Completed and total in the unit of `mode`: transfers, or bytes.
    package func counted(in mode: ProgressMode) -> (completed: Int64, total: Int64) {
        mode == .simple ? (Int64(settled), Int64(count)) : (completed, total)
    }

    /// Completed, by how it ended, in the unit of `mode`.
    package func shares(in mode: ProgressMode) -> QueueTotals.Shares {
        var shares = QueueTotals.Shares()
        switch mode {
        case .simple:
            (shares.succeeded, shares.failed, shares.cancelled) = (Int64(finished), Int64(failed), Int64(cancelled))
        case .accurate:
            shares.succeeded = Int64(clamping: succeededSum)
            // While the queue runs its bar stands for the bytes that came; at the end for the files, whole.
            shares.failed = Int64(clamping: allSettled ? failedSum : failedDone)
            shares.cancelled = Int64(clamping: allSettled ? cancelledSum : cancelledDone)
            shares.unsettled = Int64(clamping: unsettledSum)
        }
        return shares
    }

    /// - Parameter hasStarted: an empty queue is at 0 before it was started, at 1 after.
    package func fraction(in mode: ProgressMode, hasStarted: Bool) -> Fraction {
        let (completed, total) = counted(in: mode)
        return Fraction(completed: completed, total: total, allSettled: allSettled && (count > 0 || hasStarted))
    }

    /// The sums over the transfers of both. What never began on the right-hand side counts with that side's guess.
    package static func + (left: QueueProgress, right: QueueProgress) -> QueueProgress {
        var sum = left
        sum.completedSum += right.completedSum
        sum.totalSum += right.totalSum + right.unstartedSum
        sum.estimatedSum += right.estimatedSum + right.unstartedSum
        sum.estimatedDone += right.estimatedDone
        sum.count += right.count
        sum.finished += right.finished
        sum.failed += right.failed
        sum.cancelled += right.cancelled
        sum.openListings += right.openListings
        sum.estimated += right.estimated
        sum.known += right.known
        sum.succeededSum += right.succeededSum
        sum.failedSum += right.failedSum
        sum.cancelledSum += right.cancelledSum
        sum.unsettledSum += right.unsettledSum
        sum.failedDone += right.failedDone
        sum.cancelledDone += right.cancelledDone
        return sum
    }

    private mutating func add(_ entry: Entry, sign: Int) {
        let contribution = entry.contribution
        completedSum += Int128(sign) * Int128(contribution.completed)
        totalSum += Int128(sign) * Int128(contribution.total)
        count += sign
        if entry.isUnstarted { unstarted += sign }
        if contribution.isEstimated {
            estimated += sign
            estimatedSum += Int128(sign) * Int128(contribution.total)
            estimatedDone += Int128(sign) * Int128(contribution.completed)
        } else if entry.settled == nil || entry.settled == .ok {
            known += sign
        }
        let extent = Int128(sign) * Int128(max(1, entry.extent, contribution.completed))
        switch entry.settled {
        case .ok:
            finished += sign
            succeededSum += Int128(sign) * Int128(contribution.completed)
        case .failed:
            failed += sign
            failedSum += extent
            failedDone += Int128(sign) * Int128(contribution.completed)
        case .cancelled:
            cancelled += sign
            cancelledSum += extent
            cancelledDone += Int128(sign) * Int128(contribution.completed)
        case nil: unsettledSum += Int128(sign) * Int128(contribution.completed)
        }
    }
}

extension QueueProgress.Entry {
    /// One that waits to begin, of unknown size.
    package static var unstarted: QueueProgress.Entry {
        var entry = QueueProgress.Entry(
            contribution: Contribution(completed: 0, total: 0, isEstimated: true), settled: nil)
        entry.isUnstarted = true
        return entry
    }
}

/// What one transfer adds to the queue's accurate sums, in bytes.
package struct Contribution: Hashable, Sendable {
    /// 0...`total`.
    package var completed: Int64
    package var total: Int64
    package var isEstimated: Bool

    package init(completed: Int64, total: Int64, isEstimated: Bool = false) {
        (self.completed, self.total, self.isEstimated) = (completed, total, isEstimated)
    }

    /// Of a transfer that is not settled.
    package init(have: ByteCount, size: SizeKnowledge) {
        switch size {
        case .unknown(let estimate):
            self.init(completed: have.bytes, total: max(estimate.bytes, have.bytes), isEstimated: true)
        case .probed(let size), .declared(let size), .exact(let size):
            self.init(completed: min(have.bytes, size.bytes), total: size.bytes)
        }
    }
}

/// How a settled transfer ended, for the simple count's three colours.
package enum SettledClass: Hashable, Sendable {
    case ok, failed, cancelled
}

/// The fraction of a bar in bytes as it is shown. Where guesses of sizes turn out too small, the exact one would run back
/// time and again by little; the bar stands still instead, until the bytes have caught up or too much is wrong.
package struct ShownFraction: Hashable, Sendable {
    private var value = 0.0
    /// The exact one that `value` was made of.
    private var exact = 0.0

    package init() {}

    /// A bar that shows more than a tenth too much is set right at once, with the cause.
    private static let most = 0.1

    /// - Parameter cause: of the step, should the fraction have fallen in it.
    package mutating func move(to new: Fraction, _ progress: QueueProgress, _ cause: Rebase.Cause) {
        let fallen = max(0, exact - new.value)
        exact = new.value
        if progress.isIndeterminate {
            // Nothing is known: the guesses are not shown, and the bar must not fall back from them later.
            value = min(value, new.value)
        } else if !progress.isEstimated || new.value >= value || value - new.value > Self.most {
            value = new.value
        } else if !cause.isGuess {
            value = max(new.value, value - fallen)
        }
    }

    package func shown(_ exact: Fraction) -> Fraction {
        exact.value == value || exact.value >= 1 ? exact : Fraction(held: value)
    }
}

extension Rebase.Cause {
    /// A guess was too small.
    fileprivate var isGuess: Bool { self == .guessOutgrown || self == .sizeLearned }
}

/// The sizes known in a queue, for guessing those that are not.
package struct KnownSizes: Hashable, Sendable {
    /// Ascending, in pieces that are cheap to insert into, none empty.
    private var pieces: [[Int64]] = []
    private var count = 0
    /// 128 bits: a hundred thousand sizes of 8 EiB do not overflow it.
    private var sum: Int128 = 0

    package init() {}

    /// Stands for a file's size while no other is known: 16 KiB, a small page or picture, so that the guess is soon outgrown
    /// rather than long undershot.
    static let firstGuess = ByteCount(bytes: 16_384)
    /// A piece of this length is cut in two. With 100,000 sizes an insertion moves at most this many numbers, and the
    /// median is found among 200 pieces.
    private static let longestPiece = 1024

    /// The lower median.
    package var estimate: ByteCount {
        var index = (count - 1) / 2
        for piece in pieces {
            if index < piece.count { return ByteCount(bytes: piece[index]) }
            index -= piece.count
        }
        return Self.firstGuess
    }

    /// What an unknown size comes to on average; `nil` while none is known. Larger files make it larger than the median;
    /// but one that is much larger than the usual says nothing of those to come, and counts as no more than `outlier`
    /// medians.
    package var mean: Double? {
        guard count > 0 else { return nil }
        let most = max(1, estimate.bytes).multipliedReportingOverflow(by: Self.outlier)
        guard !most.overflow, let largest = pieces.last?.last, largest > most.partialValue else {
            return Double(sum) / Double(count)
        }
        var bounded = sum
        for piece in pieces.reversed() {
            let beyond = piece.reversed().prefix { $0 > most.partialValue }
            for size in beyond { bounded -= Int128(size - most.partialValue) }
            if beyond.count < piece.count { break }
        }
        return Double(bounded) / Double(count)
    }

    /// Sizes of one kind of file differ by less.
    private static let outlier: Int64 = 8

    package mutating func insert(_ size: ByteCount) {
        count += 1
        sum += Int128(size.bytes)
        guard !pieces.isEmpty else { return pieces.append([size.bytes]) }
        let place = min(piece(of: size.bytes), pieces.count - 1)
        pieces[place].insert(size.bytes, at: pieces[place].firstNotBelow(size.bytes))
        if pieces[place].count >= Self.longestPiece {
            let half = pieces[place].count / 2
            pieces.insert(Array(pieces[place][half...]), at: place + 1)
            pieces[place].removeSubrange(half...)
        }
    }

    package mutating func remove(_ size: ByteCount) {
        let place = piece(of: size.bytes)
        guard place < pieces.count else { return }
        let index = pieces[place].firstNotBelow(size.bytes)
        guard pieces[place][index] == size.bytes else { return }
        count -= 1
        sum -= Int128(size.bytes)
        pieces[place].remove(at: index)
        if pieces[place].isEmpty { pieces.remove(at: place) }
    }

    /// The first piece whose last size is not below `size`.
    private func piece(of size: Int64) -> Int { pieces.partitioningIndex(where: { ($0.last ?? .min) >= size }) }
}

extension [Int64] { fileprivate func firstNotBelow(_ size: Int64) -> Int { partitioningIndex(where: { $0 >= size }) } }
