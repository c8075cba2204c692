package import WinchModel

/// Holds a transfer to its limit. Its bytes are a debt that time pays off; while there is any, nothing more is taken from the
/// connection, and TCP itself slows the sender down. The queue tells by the same sums whether a silence is the limiter's.
///
/// libcurl's own limit measures over seconds and lets a fast server send megabytes before it steps in.
package struct ConnectionRateLimiter: Hashable, Sendable {
    package private(set) var limit: ByteRate?
    /// Bytes that time has not paid off yet; below zero: that may come at once.
    private var debt = 0.0
    /// When `debt` was right; `nil`: from the beginning.
    private var at: Moment?

    /// What may be saved up, as time: the loop wakes up a millisecond or two late, and that must not cost a fast transfer half
    /// its limit.
    private static let credit = 0.02

    package init(limit: ByteRate? = nil, at now: Moment? = nil) {
        self.limit = limit
        at = now
    }

    /// Time until now pays by the old limit. Without a limit nothing is owed.
    package mutating func limit(to limit: ByteRate?, at now: Moment) {
        debt = limit == nil ? 0 : debt(at: now)
        (self.limit, at) = (limit, now)
    }

    package mutating func take(_ count: Int64, at now: Moment) {
        guard limit != nil else { return }
        debt = debt(at: now) + Double(max(0, count))
        at = now
    }

    /// When a held transfer may go on; `nil`: now.
    package func release(at now: Moment) -> Moment? {
        guard let limit, limit > .zero else { return nil }
        let debt = debt(at: now)
        return debt > 0 ? now + .saturating(debt / limit.perSecond) : nil
    }

    private func debt(at now: Moment) -> Double {
        let rate = limit?.perSecond ?? 0
        return max(-rate * Self.credit, debt - rate * (now - (at ?? now)).seconds)
    }
}
