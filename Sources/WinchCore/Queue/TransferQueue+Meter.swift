/// The total rate: measured while connections are open, and only then.
extension TransferQueue {
    mutating func measure(at now: Moment) {
        noteLine(at: now)
        estimator.record(moved, done: progress.settled, left: left, course: course, at: now)
        draw(seconds.record(moved, at: now))
    }

    /// Between two attempts, and while all are paused, time stands still; when all is settled it is over.
    mutating func runMeter(at now: Moment) {
        if settled == count {
            estimator = QueueEstimator()
            draw(seconds.end(with: moved, at: now))
        } else if active.isEmpty {
            pauseMeter(at: now)
        } else {
            resumeMeter(at: now)
        }
    }

    /// Tells the estimator how many connections moved how much since the last tick.
    private mutating func noteLine(at now: Moment) {
        guard let tick = connections.take(moved, at: now) else { return }
        estimator.note(connections: tick.connections, rate: tick.rate)
    }

    /// What runs now, to foretell from how it ends.
    private var course: QueueCourse {
        estimator.course(
            of: active.compactMap { id in
                let transfer = rows[id.number - 1]
                guard transfer.phase == .moving, let size = transfer.size.known, let rate = transfer.estimator?.mean,
                    rate > .zero
                else { return nil }
                return QueueCourse.Running(bytes: Double((size - transfer.have).bytes), rate: rate.perSecond)
            })
    }

    private mutating func draw(_ second: RateHistory.Second?) {
        guard let second else { return }
        feed.seconds.append(second)
        feed.areTotalsChanged = true
    }

    /// The total rate as it is shown; `nil` when nothing moves.
    func rate(at now: Moment) -> ByteRate? {
        guard !active.isEmpty, let rate = estimator.stream.rate(at: now) else { return nil }
        return seconds.bounded(rate, moved: moved, at: now)
    }

    /// A body begins: time counts from here, where it does not yet, as it does for its row.
    mutating func startMeter(at now: Moment) {
        guard estimator.stream.clock.lastSample == nil, !estimator.stream.clock.isPaused else { return }
        estimator.record(moved, done: progress.settled, left: left, at: now)
    }

    mutating func pauseMeter(at now: Moment) {
        seconds.pause(with: moved, at: now)
        if !estimator.stream.clock.isPaused { estimator.stream.pause() }
    }

    mutating func resumeMeter(at now: Moment) {
        draw(seconds.begin(with: moved, at: now))
        guard estimator.stream.clock.isPaused else { return }
        guard estimator.stream.rates != nil else { return estimator = QueueEstimator() }
        // What came in the last moment before the pause, lest it all come at once after it.
        estimator.record(moved, done: progress.settled, left: left, at: now)
        estimator.stream.resume(at: now)
    }
}
