/// The rate of a whole queue, and when it will end: a stream like any other, whose end follows from bytes and files.
public struct QueueEstimator: Hashable, Sendable {
    /// The stream of all its bytes: to read from, to pause and to resume.
    public var stream = RateEstimator()
    private var fit = QueueFit()

    public init() {}

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - moved: bytes that came in all; bytes that were lost again stay in it.
    ///   - done: files settled so far.
    ///   - left: `nil` while there is nothing to guess from.
    public mutating func record(_ moved: ByteCount, done: Int, left: QueueLeft?, at now: Moment) {
        fit.begin(done: done)
        guard let step = stream.observe(moved, left: left?.bytes, at: now) else { return }
        fit.take(step.stretch, done: done)
        guard let left else { return }
        let fitted = fit.timeLeft(left)
        // Files of other sizes are other rates, but not another line: the fit knows better than the change detector.
        let isNewRegime = step.isNewRegime && (!fit.isGrown || !stream.slowStart.isOver)
        stream.aim(
            timeLeft: fitted ?? stream.time(for: left.bytes),
            after: RateEstimator.Step(stretch: step.stretch, isNewRegime: isNewRegime))
    }

}
