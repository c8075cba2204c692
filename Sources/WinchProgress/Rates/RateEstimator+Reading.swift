package import WinchModel

/// What is shown of a stream. Reading changes nothing.
extension RateEstimator {
    /// `nil` until enough was seen and in a pause; zero in a stall.
    package func rate(at now: Moment) -> ByteRate? {
        guard clock.lastSample != nil, let rates else { return nil }
        return stalledSince(at: now) == nil ? ByteRate(perSecond: rates.shown.value) : .zero
    }

    /// The mean of the present regime, whether bytes come just now or not.
    package var mean: ByteRate? {
        rates.map { ByteRate(perSecond: $0.regime.rate) }
    }

    /// Since when no byte has come, when that is longer than this stream's gaps are.
    package func stalledSince(at now: Moment) -> Moment? {
        guard let last = clock.lastSample, let gap = clock.gap(to: now), gap > stallDetector.limit else { return nil }
        return last
    }

    /// Seconds to the end; held while the stream is paused or stalled. `nil` without an honest answer.
    package func secondsLeft(at now: Moment) -> Double? {
        guard let end = end.at else { return nil }
        let gap = clock.gap(to: now) ?? 0
        let isStall = gap > stallDetector.limit && stallDetector.isRhythmKnown
        return max(0, end - clock.seconds - (isStall ? 0 : gap))
    }

    /// When the rest will have come; `nil` while nothing moves or too little was seen.
    ///
    /// - Parameter left: used while no sample told the total.
    package func finish(of left: ByteCount, at now: Moment) -> Moment? {
        guard clock.lastSample != nil, slowStart.isOver || end.at != nil, stalledSince(at: now) == nil else {
            return nil
        }
        let seconds = secondsLeft(at: now) ?? time(for: Double(max(0, left.bytes))) ?? .infinity
        return seconds < TimeLeftFormat.longest ? now + .seconds(seconds) : nil
    }
}
