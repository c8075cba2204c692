import WinchModel
import WinchProgress

/// The total rate, its history in seconds, and when the queue will end: measured while connections are open, and only then.
package struct QueueRate: Sendable {
    /// How far the queue is at a sample.
    struct Sample {
        /// Downloads settled so far.
        var done: Int
        /// `nil` while there is nothing to guess from.
        var left: QueueLeft?
    }

    private var estimator = QueueTimeLeft()
    private var connections = MovingConnections()
    private var seconds = SecondRateMeter()
    /// Bytes that came in all; never falls.
    private(set) var moved = ByteCount.zero

    /// Time stands still: no connection is open.
    var isPaused: Bool { estimator.stream.clock.isPaused }
    /// Time does not count yet, and begins with the next sample.
    var awaitsSample: Bool { estimator.stream.clock.lastSample == nil && !isPaused }

    mutating func arrived(_ bytes: ByteCount) { moved += bytes }

    mutating func connectionsChanged(by change: Int, at now: Moment) { connections.change(by: change, at: now) }

    /// The user or the queue has changed what runs: what was measured before does not foretell the end.
    mutating func expectChange() { estimator.expectChange() }

    /// A tenth of a second has passed.
    ///
    /// - Parameter running: transfers that move now and whose size is known.
    /// - Returns: the second that has just ended, if one has.
    mutating func tick(_ sample: Sample, running: [SlotSimulation.Running], at now: Moment) -> RateHistory.Second? {
        if let tick = connections.take(moved, at: now) {
            estimator.note(connections: tick.connections, rate: tick.rate)
        }
        estimator.record(
            moved, done: sample.done, left: sample.left, forecast: estimator.forecast(of: running), at: now)
        return seconds.record(moved, at: now)
    }

    /// Time counts from here.
    mutating func record(_ sample: Sample, at now: Moment) {
        estimator.record(moved, done: sample.done, left: sample.left, at: now)
    }

    /// Between two attempts, and while all are paused, time stands still.
    mutating func pause(at now: Moment) {
        seconds.pause(with: moved, at: now)
        if !isPaused { estimator.stream.pause() }
    }

    /// Connections are open: seconds are measured from here, where they are not yet.
    ///
    /// - Returns: the second that has just ended, if one has.
    mutating func beginSecond(at now: Moment) -> RateHistory.Second? { seconds.begin(with: moved, at: now) }

    /// Ends a pause; changes nothing where there is none.
    mutating func resume(_ sample: Sample, at now: Moment) {
        guard isPaused else { return }
        guard estimator.stream.rates != nil else { return estimator = QueueTimeLeft() }
        // What came in the last moment before the pause, lest it all come at once after it.
        record(sample, at: now)
        estimator.stream.resume(at: now)
    }

    /// All is settled: the next transfer begins a measurement of its own.
    ///
    /// - Returns: what was measured of the last second.
    mutating func end(at now: Moment) -> RateHistory.Second? {
        defer { (estimator, seconds) = (QueueTimeLeft(), SecondRateMeter(recent: seconds.recent)) }
        return seconds.end(with: moved, at: now)
    }

    /// The total rate as it is shown, within what the last seconds were; `nil` until enough was seen.
    func rate(at now: Moment) -> ByteRate? {
        estimator.stream.rate(at: now).map { seconds.bounded($0, moved: moved, at: now) }
    }

    /// When `left` will have come; `nil` while nothing moves or too little was seen.
    func finish(of left: ByteCount, at now: Moment) -> Moment? { estimator.stream.finish(of: left, at: now) }
}

extension TransferQueue {
    mutating func measure(at now: Moment) { feed.append(meters.tick(sample, running: running, at: now)) }

    /// Between two attempts, and while all are paused, time stands still; when all is settled it is over.
    mutating func runMeter(at now: Moment) {
        if settled == count {
            feed.append(meters.end(at: now))
        } else if active.isEmpty {
            meters.pause(at: now)
        } else {
            resumeMeter(at: now)
        }
    }

    /// A body begins: time counts from here, where it does not yet, as it does for its row.
    mutating func startMeter(at now: Moment) { if meters.awaitsSample { meters.record(sample, at: now) } }

    /// The process was stopped for a while: that time counts for no rate and is no stall.
    mutating func restartMeters(at now: Moment) {
        meters.pause(at: now)
        resumeMeter(at: now)
        for id in active where rows[id.number - 1].isMoving {
            update(id) { $0.restartMeter(at: now) }
            feed.noteChange(of: id)
        }
        feed.noteTotals()
    }

    private mutating func resumeMeter(at now: Moment) {
        feed.append(meters.beginSecond(at: now))
        if meters.isPaused { meters.resume(sample, at: now) }
    }

    private var sample: QueueRate.Sample { QueueRate.Sample(done: sums.settled, left: sums.left) }

    /// What runs now, to foretell from how it ends.
    private var running: [SlotSimulation.Running] {
        active.compactMap { id in
            let index = id.number - 1
            guard rows[index].isMoving, let size = rows[index].size.known, let rate = rows[index].estimator?.mean,
                rate > .zero
            else { return nil }
            return SlotSimulation.Running(bytes: Double((size - rows[index].have).bytes), rate: rate.perSecond)
        }
    }

    /// The total rate as it is shown; `nil` when nothing moves.
    func rate(at now: Moment) -> ByteRate? { active.isEmpty ? nil : meters.rate(at: now) }
}
