import WinchCore

/// Notices a connection that moves next to nothing.
struct StallWatch {
    private var since: Moment
    private var bytes: Int64

    /// Fewer bytes than this in the time allowed is next to nothing: a drip of a byte a second must not live for ever.
    private static let floor: Int64 = 1024

    init(at now: Moment, bytes: Int64) {
        since = now
        self.bytes = bytes
    }

    /// - Parameters:
    ///   - bytes: everything that came so far.
    ///   - limit: what the person allows at most; a slow transfer by order is no stall.
    mutating func hasStalled(at now: Moment, bytes: Int64, allowed: Duration, limit: ByteRate?) -> Bool {
        let ordered = limit.map { Int64(min($0.perSecond * allowed.seconds / 2, Double(Self.floor))) }
        if bytes - self.bytes >= max(1, ordered ?? Self.floor) {
            self = StallWatch(at: now, bytes: bytes)
            return false
        }
        return now - since >= allowed
    }

    /// Nobody could look for that long: the process was stopped.
    mutating func forgive(_ gap: Duration) { since = since + gap }
}
