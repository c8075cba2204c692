/// An instant of the monotonic clock, read once at the edge and carried in the event.
///
/// Shape: nanoseconds since an origin that is the same in the whole process and means nothing outside it.
public struct Moment: Hashable, Comparable, Sendable, Codable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// `seconds` after the origin; for tests and replays.
    public init(seconds: Double) {
        nanoseconds = Int64(seconds * 1e9)
    }

    public static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }
    public static func + (moment: Moment, span: Duration) -> Moment {
        Moment(nanoseconds: moment.nanoseconds &+ span.nanoseconds)
    }
    public static func - (left: Moment, right: Moment) -> Duration {
        .nanoseconds(left.nanoseconds &- right.nanoseconds)
    }
}

extension Duration {
    /// The span in seconds.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The span in whole nanoseconds, held inside 292 years.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min / 2 : .max / 2) : scaled &+ attoseconds / 1_000_000_000
    }
}
