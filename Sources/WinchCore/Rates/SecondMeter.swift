/// Cuts a growing count of bytes into the means of whole seconds.
struct SecondMeter: Hashable, Sendable {
    private struct Start: Hashable, Sendable {
        var at: Moment
        var bytes: ByteCount
    }

    private var start: Start?

    /// A second of which less than this was measured is not told.
    private static let least = Duration.milliseconds(500)
    /// A gap beyond this is nobody's second: the process slept.
    private static let most = Duration.seconds(2)

    /// - Parameter moved: bytes so far; never falls.
    /// - Returns: the second that has just ended, if one has.
    mutating func record(_ moved: ByteCount, at now: Moment) -> RateHistory.Second? {
        let next = Start(at: now, bytes: moved)
        guard let begun = start else {
            start = next
            return nil
        }
        guard now.second != begun.at.second else { return nil }
        start = next
        let elapsed = now - begun.at
        guard elapsed >= Self.least, elapsed < Self.most, let rate = (moved - begun.bytes).rate(over: elapsed) else {
            return nil
        }
        return RateHistory.Second(number: begun.at.second, rate: rate)
    }

    /// Nothing runs: the time until the next count is no one's.
    mutating func stop() { start = nil }
}

extension Moment {
    /// Whole seconds since the origin, floored.
    fileprivate var second: Int64 {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return rest < 0 ? whole - 1 : whole
    }
}
