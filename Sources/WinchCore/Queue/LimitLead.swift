/// How far a transfer is ahead of its rate limit: bytes that came before their time, and that it has to wait for now.
///
/// A limiter lets bytes through in bursts and is silent between them, for seconds at a low limit. That is no stall.
struct LimitLead: Hashable, Sendable {
    private var bytes = 0.0
    private var at: Moment?

    /// - Parameter count: bytes that came since the last call.
    mutating func take(_ count: ByteCount, limit: ByteRate, at now: Moment) {
        bytes = left(limit: limit, at: now) + Double(max(0, count.bytes))
        at = now
    }

    /// The limiter is waiting.
    func isAhead(of limit: ByteRate, at now: Moment) -> Bool { left(limit: limit, at: now) > 0 }

    private func left(limit: ByteRate, at now: Moment) -> Double {
        guard let at else { return 0 }
        return max(0, bytes - limit.perSecond * max(0, (now - at).seconds))
    }
}
