import WinchModel
import WinchProgress

extension TransferQueue {
    mutating func measure(at now: Moment) {
        draw(meters.tick(sample, running: running, at: now))
    }

    /// Between two attempts, and while all are paused, time stands still; when all is settled it is over.
    mutating func runMeter(at now: Moment) {
        if settled == count {
            draw(meters.end(at: now))
        } else if active.isEmpty {
            meters.pause(at: now)
        } else {
            resumeMeter(at: now)
        }
    }

    /// A body begins: time counts from here, where it does not yet, as it does for its row.
    mutating func startMeter(at now: Moment) {
        if meters.awaitsSample { meters.record(sample, at: now) }
    }

    /// The process was stopped for a while: that time counts for no rate and is no stall.
    mutating func restartMeters(at now: Moment) {
        meters.pause(at: now)
        resumeMeter(at: now)
        for id in active where rows[id.number - 1].isMoving {
            note(.meterRestarted(now), of: id)
            feed.noteChange(of: id)
        }
        feed.noteTotals()
    }

    private mutating func resumeMeter(at now: Moment) {
        draw(meters.beginSecond(at: now))
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

    private mutating func draw(_ second: RateHistory.Second?) {
        if let second { feed.append(second) }
    }

    /// The total rate as it is shown; `nil` when nothing moves.
    func rate(at now: Moment) -> ByteRate? { active.isEmpty ? nil : meters.rate(at: now) }
}
