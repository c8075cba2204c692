/// The total rate: measured while connections are open, and only then.
extension TransferQueue {
    mutating func measure(at now: Moment) {
        estimator.record(moved, done: progress.settled, left: left, at: now)
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
