/// Turns moments of this process into points of the calendar, and back.
public struct CalendarOffset: Hashable, Sendable {
    /// 1970 as a moment.
    private let origin: Int64

    /// - Parameters:
    ///   - moment: an instant.
    ///   - date: the same by the calendar.
    public init(_ moment: Moment, is date: UnixTime) {
        origin = moment.nanoseconds &- Self.nanoseconds(date)
    }

    public func date(of moment: Moment) -> UnixTime {
        UnixTime(milliseconds: (moment.nanoseconds &- origin) / 1_000_000)
    }

    public func moment(of date: UnixTime) -> Moment {
        Moment(nanoseconds: origin &+ Self.nanoseconds(date))
    }

    /// Held inside 292 years: a date comes from a file.
    private static func nanoseconds(_ date: UnixTime) -> Int64 {
        let most = Int64.max / 2_000_000
        return min(max(date.milliseconds, -most), most) * 1_000_000
    }
}
