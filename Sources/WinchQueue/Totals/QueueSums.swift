import WinchModel
import WinchProgress

/// The sums of a queue in both directions, exact after every step, and its bars in bytes as they are shown.
package struct QueueSums: Sendable {
    /// What one transfer adds to the sums of its direction.
    struct Share: Hashable {
        var entry: QueueProgress.Entry
        /// `nil` while it is unknown.
        var size: ByteCount?
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
    private(set) var hasStarted = false

    subscript(direction: Direction) -> QueueProgress { direction == .down ? down : up }

    /// What an unknown size of a download is taken for.
    var estimate: ByteCount { sizes.estimate }

    /// Transfers in both directions.
    var count: Int { down.count + up.count }
    var settled: Int { down.settled + up.settled }

    /// Over both directions.
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

    /// A paused transfer is there, or has gone on.
    ///
    /// - Parameter sign: 1 or -1.
    mutating func countPaused(_ entry: QueueProgress.Entry, sign: Int) {
        if sign > 0 { paused.replace(nil, with: entry) } else { paused.replace(entry, with: nil) }
    }

    mutating func noteStart() { hasStarted = true }

    /// Puts a transfer's new share in place of its old; `nil` for not there. What has not begun counts with the new guess
    /// from then on.
    mutating func replace(_ old: Share?, with new: Share?, in direction: Direction) {
        guard direction == .down else { return up.replace(old?.entry, with: new?.entry) }
        down.replace(old?.entry, with: new?.entry)
        guard old?.size != new?.size else { return }
        if let size = old?.size { sizes.remove(size) }
        if let size = new?.size { sizes.insert(size) }
        down.guess = sizes.estimate.bytes
    }

    /// The sums have changed: a bar in bytes follows, or stands where it is.
    ///
    /// - Parameter cause: why it may have to fall.
    mutating func moveBar(_ direction: Direction, cause: Rebase.Cause) {
        let exact = self[direction].fraction(in: .accurate, hasStarted: hasStarted)
        if direction == .down {
            bars.down.move(to: exact, down, cause)
        } else {
            bars.up.move(to: exact, up, cause)
        }
        guard up.count > 0 else { return bars.both = bars.down }
        let both = both
        bars.both.move(to: both.fraction(in: .accurate, hasStarted: hasStarted), both, cause)
    }

    /// The fraction of both directions together as it is shown.
    func fraction(in mode: ProgressMode) -> Fraction {
        let exact = both.fraction(in: mode, hasStarted: hasStarted)
        return mode == .accurate ? bars.both.shown(exact) : exact
    }

    /// The fraction as it is shown.
    func fraction(of direction: Direction, in mode: ProgressMode) -> Fraction {
        let exact = self[direction].fraction(in: mode, hasStarted: hasStarted)
        guard mode == .accurate else { return exact }
        return (direction == .down ? bars.down : bars.up).shown(exact)
    }

    /// The sums of one direction at this instant.
    ///
    /// - Parameter mode: of the queue's bar.
    func snapshot(_ direction: Direction, in mode: ProgressMode) -> SumsSnapshot {
        let accurate = fraction(of: direction, in: .accurate).value
        let shown = mode == .accurate ? accurate : fraction(of: direction, in: .simple).value
        let whole = direction == .down && up.count == 0 ? shown : fraction(in: mode).value
        return SumsSnapshot(self[direction], mode: mode, accurate: accurate, fraction: shown, whole: whole)
    }
}
