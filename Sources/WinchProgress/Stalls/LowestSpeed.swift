package import WinchModel

/// Detects a connection that is slower than the user's lowest speed (`--lowest-speed`).
package struct LowestSpeed: Hashable, Sendable {
    private var since: Moment
    private var bytes: Int64

    /// The rate is averaged over this time, so that a slow start, a full disk cache or short congestion does not end a
    /// connection.
    package static let span = Duration.seconds(30)
    /// A transfer whose limit is less than `floor * margin` is slow because of its limit, and is not failed for it.
    private static let margin = 1.25

    /// - Parameter bytes: all bytes received so far.
    package init(at now: Moment, bytes: Int64) {
        since = now
        self.bytes = bytes
    }

    /// Measures the rate; to be called regularly.
    ///
    /// - Parameters:
    ///   - bytes: all bytes received so far.
    ///   - floor: the lowest rate that is accepted.
    ///   - limit: the transfer's rate limit; `nil`: none.
    ///   - isHeld: the rate limiter holds the transfer back, so the low rate is not the fault of the connection.
    /// - Returns: the rate over the last span if it was below `floor`; `nil` otherwise, and until a span has passed.
    package mutating func tooLow(
        at now: Moment, bytes: Int64, floor: ByteRate, limit: ByteRate?, isHeld: Bool
    ) -> ByteRate? {
        if isHeld || limit.map({ $0.perSecond < floor.perSecond * Self.margin }) ?? false {
            self = LowestSpeed(at: now, bytes: bytes)
            return nil
        }
        guard now - since >= Self.span else { return nil }
        let rate = ByteCount(bytes: bytes - self.bytes).rate(over: now - since) ?? .zero
        self = LowestSpeed(at: now, bytes: bytes)
        return rate < floor ? rate : nil
    }

    /// Excludes a time during which the process was suspended.
    package mutating func exclude(_ gap: Duration) { since = since + gap }
}
