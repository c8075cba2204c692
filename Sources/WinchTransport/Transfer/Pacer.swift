import WinchCore

/// Holds a transfer to its limit. What came is a debt that time pays off; while there is a debt nothing more is taken
/// from the connection, and TCP itself slows the sender down.
///
/// libcurl's own limit measures over seconds and lets a fast server send megabytes before it steps in.
struct Pacer {
    var limit: ByteRate?
    /// Bytes that came too early.
    private var debt = 0.0
    /// When `debt` was right.
    private var at: Moment

    init(limit: ByteRate?, at now: Moment) {
        self.limit = limit
        at = now
    }

    mutating func take(_ count: Int, at now: Moment) {
        guard limit != nil else { return }
        pay(at: now)
        debt += Double(count)
    }

    /// When more may come; `nil`: now.
    mutating func release(at now: Moment) -> Moment? {
        guard let limit, limit > .zero else { return nil }
        pay(at: now)
        return debt > 0 ? now + .seconds(debt / limit.perSecond) : nil
    }

    private mutating func pay(at now: Moment) {
        let paid = (limit?.perSecond ?? 0) * (now - at).seconds
        debt = max(0, debt - paid)
        at = now
    }
}
