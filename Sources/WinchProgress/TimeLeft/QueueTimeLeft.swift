package import WinchModel

/// The rate of a whole queue, and when it will end: a stream like any other, whose end follows from bytes and files.
package struct QueueTimeLeft: Hashable, Sendable {
    /// The stream of all its bytes: to read from, to pause and to resume.
    package var stream = RateEstimator()
    private var fit = QueueFit()
    private var share = ConnectionScaling()

    package init() {}

    /// Takes what one tick of the meter saw.
    package mutating func note(connections: Double, rate: Double) { share.take(connections: connections, rate: rate) }

    /// The user or the queue has changed what runs: the time left follows the rate of the next seconds at once.
    package mutating func expectChange() { fit.expectChange() }

    /// - Parameter running: transfers that move now and whose size is known.
    package func forecast(of running: [SlotSimulation.Running]) -> SlotSimulation {
        SlotSimulation(running: running, exponent: share.exponent, rate: stream.mean?.perSecond)
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - moved: bytes that came in all; bytes that were lost again stay in it.
    ///   - done: files settled so far.
    ///   - left: `nil` while there is nothing to guess from.
    package mutating func record(_ moved: ByteCount, done: Int, left: QueueLeft?, at now: Moment) {
        record(moved, done: done, left: left, forecast: nil, at: now)
    }

    package mutating func record(
        _ moved: ByteCount, done: Int, left: QueueLeft?, forecast: SlotSimulation?, at now: Moment
    ) {
        fit.begin(done: done)
        guard let step = stream.observe(moved, left: left?.bytes, at: now) else { return }
        let isChanged = fit.take(step.interval, done: done)
        guard let left else { return }
        let fitted = forecast.map { $0.timeLeft(left, plain: fit.timeLeft) } ?? fit.timeLeft(left)
        // Files of other sizes are other rates, but not another line: the fit knows better than the change detector.
        let isNewRegime = isChanged || step.isNewRegime && (!fit.isGrown || !stream.slowStart.isOver)
        stream.aim(
            timeLeft: fitted ?? stream.time(for: left.bytes),
            after: RateEstimator.Step(interval: step.interval, isNewRegime: isNewRegime))
    }

}
