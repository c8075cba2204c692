package import WinchModel

/// A transfer in several ranges at once: it ends when the latest of them does, not when their common rate says so.
///
/// Each range has a mean of its own, of the stream's intervals. Once ranges are split anew the ends move together again,
/// and the plain rule holds.
package struct SegmentedRateEstimator: Hashable, Sendable {
    /// The stream of all its bytes: to read from, to pause and to resume.
    package var stream = RateEstimator()
    private var segments: [Segment]
    /// A range got more than it was to get: it was split anew.
    private var wasResplit = false
    /// Seconds since a range came to its end, and the common rate fell for that reason.
    private var sinceEnd = Double.infinity

    /// The fall is noticed within this.
    private static let settling = 3.0

    private struct Segment: Hashable, Sendable {
        var left: Int64
        /// Since the last interval closed.
        var fresh: Int64 = 0
        var mean: LongTermRate?

        /// Nothing is known of one that waits for its first byte.
        var timeLeft: Double? {
            guard left > 0 else { return 0 }
            return mean.flatMap { $0.rate > 0 ? Double(left) / $0.rate : nil }
        }

        mutating func take(_ step: RateEstimator.Step, isInterrupted: Bool) {
            let interval = SampleInterval(seconds: step.interval.seconds, bytes: Double(fresh))
            fresh = 0
            var mean = self.mean ?? LongTermRate(rate: interval.rate)
            if isInterrupted { mean.discountPast() }
            mean.take(interval, timeLeft: .infinity)
            self.mean = mean
        }
    }

    /// - Parameter lengths: of the ranges, in bytes.
    package init(lengths: [ByteCount]) {
        segments = lengths.map { Segment(left: $0.bytes) }
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - have: bytes of the whole so far.
    ///   - fresh: how many of them `segment` has got since its last sample.
    package mutating func record(
        _ have: ByteCount, of total: ByteCount, fresh: ByteCount, in segment: Int, at now: Moment
    ) {
        if segments.indices.contains(segment) {
            segments[segment].left &-= fresh.bytes
            segments[segment].fresh &+= fresh.bytes
            wasResplit = wasResplit || segments[segment].left < 0
            if segments[segment].left == 0 { sinceEnd = 0 }
        } else {
            wasResplit = true
        }
        let left = max(0, Double(total.bytes) - Double(have.bytes))
        guard let step = stream.observe(have, left: left, at: now) else { return }
        sinceEnd += step.interval.seconds
        let isInterrupted = step.isNewRegime && sinceEnd > Self.settling
        for index in segments.indices { segments[index].take(step, isInterrupted: isInterrupted) }
        let latest = latestTimeLeft()
        stream.aim(
            timeLeft: latest ?? stream.time(for: left),
            after: RateEstimator.Step(
                interval: step.interval, isNewRegime: step.isNewRegime && (latest == nil || !stream.slowStart.isOver)))
    }

    /// `nil` where the plain rule holds.
    private func latestTimeLeft() -> Double? {
        guard !wasResplit else { return nil }
        var latest = 0.0
        for segment in segments {
            guard let time = segment.timeLeft else { return nil }
            latest = max(latest, time)
        }
        return latest
    }
}
