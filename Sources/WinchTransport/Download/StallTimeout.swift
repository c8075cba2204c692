import WinchModel

/// Notices a connection that brings almost nothing.
struct StallTimeout {
    private var since: Moment
    private var bytes: Int64

    /// Fewer bytes than this in the time allowed count as a stall: a server that sends a byte a second must not hold a
    /// connection for ever.
    private static let floor: Int64 = 1024

    init(at now: Moment, bytes: Int64) {
        since = now
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - bytes: received so far.
    ///   - limit: of the transfer; bytes that the limit holds back are no stall.
    mutating func hasStalled(at now: Moment, bytes: Int64, allowed: Duration, limit: ByteRate?) -> Bool {
        let ordered = limit.map { Int64(min($0.perSecond * allowed.seconds / 2, Double(Self.floor))) }
        if bytes - self.bytes >= max(1, ordered ?? Self.floor) {
            self = StallTimeout(at: now, bytes: bytes)
            return false
        }
        return now - since >= allowed
    }

    /// The process was stopped for so long: that time does not count.
    mutating func exclude(_ gap: Duration) { since = since + gap }
}
