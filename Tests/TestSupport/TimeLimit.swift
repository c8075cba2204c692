import Glibc

/// A time limit for what takes a program a small part of it. Where the machine is busy it is longer: a program that gets a third of
/// a core needs three times as long. On a quiet machine it is what it says.
package struct TimeLimit: Sendable {
    private let start: ContinuousClock.Instant
    private let limit: Duration
    private var end: ContinuousClock.Instant

    package init(_ limit: Duration) {
        (start, self.limit) = (.now, limit)
        end = start + limit
    }

    package mutating func isOver() -> Bool {
        let now = ContinuousClock.now
        guard now >= end else { return false }
        end = max(end, start + limit * Self.measuredStretch())
        return now >= end
    }

    /// For messages: how long it was, and why.
    package var words: String {
        let (seconds, stretch) = (Int((end - start) / .seconds(1)), (end - start) / limit)
        let usual = Int(limit / .seconds(1))
        return stretch > 1 ? "\(seconds) s, on a machine so busy that this is \(usual) s" : "\(seconds) s"
    }

    /// The later one of two.
    package func orLater(_ other: TimeLimit?) -> TimeLimit {
        guard let other, other.end > end else { return self }
        return other
    }

    /// How many times as long as alone a computation takes now. Others that run take turns with it, and with the program as well.
    private static func measuredStretch() -> Double {
        let (start, begun) = (ContinuousClock.now, computed)
        while computed - begun < work {}
        let stretch = (ContinuousClock.now - start) / (computed - begun)
        return stretch < least ? 1 : min(stretch, most)
    }

    /// 30 ms: many turns of the scheduler.
    private static let work = Duration.milliseconds(30)
    /// Less than this much longer is chance.
    private static let least = 1.5
    /// A limit must end.
    private static let most = 30.0

    /// By this thread.
    private static var computed: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
