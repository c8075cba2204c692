package import WinchModel

/// Connections that move bytes, and how long, so that a tick knows how many there were on average.
package struct MovingConnections: Hashable, Sendable {
    private var count = 0
    /// Connections times seconds.
    private var seconds = 0.0
    private var at: Moment?
    private var tick: Tick?

    package init() {}

    private struct Tick: Hashable, Sendable {
        var at: Moment
        var moved: ByteCount
        var seconds: Double
    }

    /// Ticks are a tenth of a second apart; what is far from it is no tick.
    private static let span = 0.05...0.5

    package mutating func change(by change: Int, at now: Moment) {
        pass(to: now)
        count += change
    }

    /// - Returns: since the last tick, connections on average and bytes a second.
    package mutating func take(_ moved: ByteCount, at now: Moment) -> (connections: Double, rate: Double)? {
        pass(to: now)
        defer { tick = Tick(at: now, moved: moved, seconds: seconds) }
        guard let tick, case let elapsed = (now - tick.at).seconds, Self.span.contains(elapsed) else { return nil }
        return ((seconds - tick.seconds) / elapsed, Double((moved - tick.moved).bytes) / elapsed)
    }

    private mutating func pass(to now: Moment) {
        if let at { seconds += Double(count) * max(0, (now - at).seconds) }
        at = now
    }
}
