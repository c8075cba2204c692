/// The first seconds of a connection, while its window still opens: each round trip brings more than the one before.
///
/// A mean over them is not the rate of anything. So nothing is foretold while the rate of the moment keeps setting new
/// highs, and what came before the last of them is forgotten then.
package struct SlowStart: Hashable, Sendable {
    /// The rate of the last new high, and when it was; active seconds.
    private var high = 0.0
    private var highAt = 0.0
    private var firstAt: Double?
    private var since = SampleInterval.zero
    private(set) var isOver = false

    /// A new high is one by more than a quarter: windows double with each round trip, and grow by half at the least.
    private static let growth = 1.28
    /// No new high for 0.3 s: longer than most round trips.
    private static let longestPlateau = 0.3
    /// Longer than this it is not a start.
    private static let longest = 6.0

    /// - Parameters:
    ///   - fast: the rate of the moment.
    ///   - now: active seconds.
    /// - Returns: when it ends after highs: what came since the last of them.
    mutating func take(_ interval: SampleInterval, fast: Double, at now: Double) -> SampleInterval? {
        if fast > high * Self.growth {
            firstAt = firstAt ?? now
            high = fast
            highAt = now
            since = .zero
        } else {
            since += interval
        }
        isOver = now - highAt > Self.longestPlateau || now > Self.longest
        return isOver && firstAt != highAt && since.seconds > 0 ? since : nil
    }
}
