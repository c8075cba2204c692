import WinchModel
import WinchProgress

/// The sums of a queue in both directions, exact after every step, and its bars in bytes as they are shown.
package struct QueueSums: Sendable {
    /// What one transfer adds to the sums of its direction.
    struct Share: Hashable {
        /// `nil` of a folder that is listed, unless that failed or was cancelled.
        var entry: QueueProgress.Entry?
        /// `nil` while it is unknown, and of a folder.
        var size: ByteCount?
        /// Of a folder that is listed.
        var listing: CountsByKind.Kind?
    }

    private var down = QueueProgress()
    /// A download adds nothing to it, nor an upload to the other, whatever its answer holds.
    private var up = QueueProgress()
    /// Of the transfers that are paused, in both directions.
    private var paused = QueueProgress()
    /// Of the downloads; an upload names its size, and nothing is guessed from others.
    private var sizes = KnownSizes()
    private var bars = (down: ShownFraction(), up: ShownFraction(), both: ShownFraction())
    /// Something has run or settled: an empty queue is complete only then.
    var hasStarted = false
    /// Folders that are listed, or were.
    private(set) var listings = CountsByKind()

    subscript(direction: Direction) -> QueueProgress { direction == .down ? down : up }

    var estimate: ByteCount { sizes.estimate }

    /// Transfers in both directions. Of the folders that are listed only those that failed or were cancelled are among them.
    var count: Int { down.count + up.count }
    var settled: Int { down.settled + up.settled }
    /// All that is in the list.
    var rowCount: Int { count + listings.open + listings[.finished] }
    var settledRows: Int { settled + listings[.finished] }

    var both: QueueProgress { up.count == 0 ? down : down + up }

    /// What there is to move yet, to foretell the end from, without what is paused; `nil` while no size is known.
    var left: QueueLeft? {
        let hasDownloads = down.settled < down.count
        guard let mean = sizes.mean ?? (up.count > 0 && !hasDownloads ? 0 : nil) else { return nil }
        let both = both
        return QueueLeft(
            bytes: both.left(mean: mean) - paused.left(mean: mean),
            files: both.count - both.settled - paused.count)
    }

    /// Bytes to move yet, guessed ones included, without those of what is paused.
    var unpausedBytes: ByteCount {
        var paused = paused
        paused.guess = down.guess
        let both = both
        return ByteCount(bytes: max(0, both.total - both.completed - (paused.total - paused.completed)))
    }

    /// - Parameter sign: 1 or -1.
    mutating func countPaused(_ entry: QueueProgress.Entry, sign: Int) {
        if sign > 0 { paused.replace(nil, with: entry) } else { paused.replace(entry, with: nil) }
    }

    /// Puts a transfer's new share in place of its old; `nil` for not there. What has not begun counts with the new guess
    /// from then on.
    mutating func replace(_ old: Share?, with new: Share?, in direction: Direction) {
        guard direction == .down else { return up.replace(old?.entry, with: new?.entry) }
        if let listing = old?.listing { listings.count(listing, sign: -1) }
        if let listing = new?.listing { listings.count(listing, sign: 1) }
        down.openListings = listings.open
        down.replace(old?.entry, with: new?.entry)
        guard old?.size != new?.size else { return }
        if let size = old?.size { sizes.remove(size) }
        if let size = new?.size { sizes.insert(size) }
        down.guess = sizes.estimate.bytes
    }

    /// The sums have changed: a bar in bytes follows, or stands where it is.
    mutating func moveBar(_ direction: Direction, cause: Rebase.Cause) {
        let exact = self[direction].fraction(in: .accurate, hasStarted: hasStarted)
        if direction == .down { bars.down.move(to: exact, down, cause) } else { bars.up.move(to: exact, up, cause) }
        guard up.count > 0 else { return bars.both = bars.down }
        let both = both
        bars.both.move(to: both.fraction(in: .accurate, hasStarted: hasStarted), both, cause)
    }

    /// The fraction of both directions together as it is shown.
    func fraction(in mode: ProgressMode) -> Fraction {
        let exact = both.fraction(in: mode, hasStarted: hasStarted)
        return mode == .accurate ? bars.both.shown(exact) : exact
    }

    func fraction(of direction: Direction, in mode: ProgressMode) -> Fraction {
        let exact = self[direction].fraction(in: mode, hasStarted: hasStarted)
        guard mode == .accurate else { return exact }
        return (direction == .down ? bars.down : bars.up).shown(exact)
    }

    func snapshot(_ direction: Direction, in mode: ProgressMode) -> SumsSnapshot {
        let accurate = fraction(of: direction, in: .accurate).value
        let shown = mode == .accurate ? accurate : fraction(of: direction, in: .simple).value
        let whole = direction == .down && up.count == 0 ? shown : fraction(in: mode).value
        return SumsSnapshot(self[direction], mode: mode, accurate: accurate, fraction: shown, whole: whole)
    }
}

/// The sums of a queue in one direction at one instant, to tell what a step did to them.
struct SumsSnapshot {
    private let completed: Int64
    private let total: Int64
    /// The fraction in bytes, as shown.
    private let accurate: Double
    /// In the mode that the queue's bar counts in.
    private let shown: (completed: Int64, total: Int64, fraction: Double)
    /// The fraction of both directions together, in that mode.
    private let whole: Double
    /// What the fractions depend on besides the sums: the last transfer of a known size may come or go without a byte.
    private let makeup: (count: Int, settled: Int, hasKnown: Bool, isEstimated: Bool)

    struct Step {
        /// Changes of the accurate sums.
        var completed: Int64
        var total: Int64
        /// Changes in the mode of the queue's bar.
        var shown: (completed: Int64, total: Int64)
        /// The completed bytes or the fraction fell: a rebase.
        var isBackwards: Bool
        /// The bar of the direction fell.
        var isShownBackwards: Bool
        /// The bar of both directions together fell, by what changed in this one.
        var isWholeBackwards: Bool

        static let nothing = Step(
            completed: 0, total: 0, shown: (0, 0), isBackwards: false, isShownBackwards: false,
            isWholeBackwards: false)

        var isNothing: Bool { completed == 0 && total == 0 && !isBackwards }
    }

    /// - Parameter fraction: in `mode`.
    init(_ progress: QueueProgress, mode: ProgressMode, accurate: Double, fraction: Double, whole: Double) {
        (completed, total) = (progress.completed, progress.total)
        (self.accurate, self.whole) = (accurate, whole)
        makeup = (progress.count, progress.settled, progress.hasKnown, progress.isEstimated)
        let counted = progress.counted(in: mode)
        shown = (counted.completed, counted.total, fraction)
    }

    func step(to after: SumsSnapshot) -> Step {
        let isShownBackwards = after.shown.fraction < shown.fraction
        let isChanged =
            after.completed != completed || after.total != total || after.shown.completed != shown.completed
            || after.shown.total != shown.total || after.makeup != makeup
        let isWholeBackwards = after.whole < whole && (isChanged || isShownBackwards)
        return Step(
            completed: after.completed - completed, total: after.total - total,
            shown: (after.shown.completed - shown.completed, after.shown.total - shown.total),
            isBackwards: after.completed < completed || after.accurate < accurate || isShownBackwards
                || isWholeBackwards,
            isShownBackwards: isShownBackwards, isWholeBackwards: isWholeBackwards)
    }
}
