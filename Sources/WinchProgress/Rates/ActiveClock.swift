package import WinchModel

/// The seconds in which a stream could move: from its first sample on, without pauses and without stalls.
///
/// Rates are taken and ends foretold on this clock. A forecast on it needs no mending when a pause ends: it stood still
/// meanwhile, and so did the time left.
package struct ActiveClock: Hashable, Sendable {
    /// Active seconds up to the last sample.
    private(set) var seconds = 0.0
    private var state = State.awaiting

    private enum State: Hashable, Sendable {
        /// The next sample starts it: nothing came yet, or bytes were lost and none came since.
        case awaiting
        case running(since: Moment)
        /// Only `start` starts it again: samples in a pause are bytes that were under way.
        case paused
    }

    /// The last sample, while time is counted from it.
    package var lastSample: Moment? {
        if case .running(let since) = state { since } else { nil }
    }

    package var isPaused: Bool { state == .paused }

    /// Seconds since the last sample; `nil` while none are counted.
    func gap(to now: Moment) -> Double? {
        lastSample.map { max(0, Double(now.nanoseconds &- $0.nanoseconds) * 1e-9) }
    }

    /// A sample that carries the time on by its gap.
    mutating func advance(by gap: Double, to now: Moment) {
        seconds += gap
        start(at: now)
    }

    /// Time counts from here: the gap before it does not.
    mutating func start(at now: Moment) {
        state = .running(since: max(now, lastSample ?? now))
    }

    mutating func awaitSample() { state = .awaiting }

    mutating func pause() { state = .paused }
}
