/// Notices a connection that moves, but more slowly than a person puts up with.
public struct SpeedFloor: Hashable, Sendable {
    private var since: Moment
    private var bytes: Int64

    /// A slow start, a full disk cache or a passing jam is no reason to give a connection up.
    public static let span = Duration.seconds(30)
    /// Whoever is told to move at less than this much more than the floor is slow by order.
    private static let margin = 1.25

    /// - Parameter bytes: everything that came so far.
    public init(at now: Moment, bytes: Int64) {
        since = now
        self.bytes = bytes
    }

    /// The rate over the last span, when it was too low.
    ///
    /// - Parameters:
    ///   - bytes: everything that came so far.
    ///   - floor: bytes a second that are to come at least.
    ///   - limit: what the person allows at most.
    ///   - isHeld: the limiter is waiting: nobody else is to blame.
    public mutating func tooLow(
        at now: Moment, bytes: Int64, floor: ByteRate, limit: ByteRate?, isHeld: Bool
    ) -> ByteRate? {
        if isHeld || limit.map({ $0.perSecond < floor.perSecond * Self.margin }) ?? false {
            self = SpeedFloor(at: now, bytes: bytes)
            return nil
        }
        guard now - since >= Self.span else { return nil }
        let rate = ByteCount(bytes: bytes - self.bytes).rate(over: now - since) ?? .zero
        self = SpeedFloor(at: now, bytes: bytes)
        return rate < floor ? rate : nil
    }

    /// Nobody could look for that long: the process was stopped.
    public mutating func forgive(_ gap: Duration) { since = since + gap }
}
