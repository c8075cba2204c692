/// The total rate: measured while connections are open, and only then.
extension TransferQueue {
    mutating func measure(at now: Moment) {
        noteLine(at: now)
        estimator.record(moved, done: progress.settled, left: left, course: course, at: now)
        if let second = seconds.record(moved, at: now) { feed.seconds.append(second) }
    }

    /// Between two attempts, and while all are paused, time stands still; when all is settled it is over.
    mutating func runMeter(at now: Moment) {
        if settled == count {
            estimator = QueueEstimator()
            seconds.stop()
        } else if active.isEmpty {
            pauseMeter()
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

    mutating func pauseMeter() {
        seconds.stop()
        if !estimator.stream.clock.isPaused { estimator.stream.pause() }
    }

    mutating func resumeMeter(at now: Moment) {
        guard estimator.stream.clock.isPaused else { return }
        guard estimator.stream.rates != nil else { return estimator = QueueEstimator() }
        // What came in the last moment before the pause, lest it all come at once after it.
        estimator.record(moved, done: progress.settled, left: left, at: now)
        estimator.stream.resume(at: now)
    }
}
