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
    package var lastSample: Moment? { if case .running(let since) = state { since } else { nil } }

    package var isPaused: Bool { state == .paused }

    /// Seconds since the last sample; `nil` while none are counted.
    func gap(to now: Moment) -> Double? { lastSample.map { max(0, Double(now.nanoseconds &- $0.nanoseconds) * 1e-9) } }

    mutating func advance(by gap: Double, to now: Moment) {
        seconds += gap
        start(at: now)
    }

    /// Time counts from here: the gap before it does not.
    mutating func start(at now: Moment) { state = .running(since: max(now, lastSample ?? now)) }

    mutating func awaitSample() { state = .awaiting }

    mutating func pause() { state = .paused }
}

/// A piece of a stream between two of its samples: so many bytes came in so many seconds of its clock.
struct SampleInterval: Hashable, Sendable {
    /// Positive.
    var seconds: Double
    /// Not negative; a real number, because only ratios are taken of it.
    var bytes: Double

    /// Bytes a second.
    var rate: Double { bytes / seconds }

    static let zero = SampleInterval(seconds: 0, bytes: 0)

    static func += (left: inout SampleInterval, right: SampleInterval) {
        left.seconds += right.seconds
        left.bytes += right.bytes
    }
}

/// Cuts a stream of samples into intervals, at samples and nowhere else: reading it, however often, changes nothing.
///
/// A interval ends at the first sample that is at least `shortest` after its begin. Ending at a sample, and not at a tick
/// of a grid, its length is exact: a grid of 0.1 s over chunks of 20 ms would see 4, 5 or 6 of them, 20% of noise that
/// the stream does not have.
package struct IntervalCutter: Hashable, Sendable {
    private var beganAt = 0.0
    private var beganWith: Int64 = 0

    /// 0.1 s: half of a delay that is noticed, and some ten chunks of a quick stream.
    private static let shortest = 0.1

    mutating func begin(at seconds: Double, with bytes: Int64) {
        beganAt = seconds
        beganWith = bytes
    }

    /// - Parameters:
    ///   - seconds: of the stream's clock, at this sample.
    ///   - bytes: cumulative.
    mutating func cut(at seconds: Double, with bytes: Int64) -> SampleInterval? {
        guard seconds - beganAt >= Self.shortest else { return nil }
        defer { begin(at: seconds, with: bytes) }
        return SampleInterval(seconds: seconds - beganAt, bytes: Double(bytes) - Double(beganWith))
    }
}
