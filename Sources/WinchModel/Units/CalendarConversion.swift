/// Converts between the monotonic time of this process and calendar time.
package struct CalendarConversion: Hashable, Sendable {
    /// 1970-01-01 00:00 UTC as a `Moment`, in nanoseconds.
    private let origin: Int64

    /// - Parameters:
    ///   - moment: any instant.
    ///   - date: the same instant in calendar time.
    package init(_ moment: Moment, is date: UnixTime) {
        origin = moment.nanoseconds &- Self.nanoseconds(date)
    }

    package func date(of moment: Moment) -> UnixTime {
        UnixTime(milliseconds: (moment.nanoseconds &- origin) / 1_000_000)
    }

    package func moment(of date: UnixTime) -> Moment {
        Moment(nanoseconds: origin &+ Self.nanoseconds(date))
    }

    /// Clamped to 146 years around 1970, because a date from a file may be any number.
    private static func nanoseconds(_ date: UnixTime) -> Int64 {
        let most = Int64.max / 2_000_000
        return min(max(date.milliseconds, -most), most) * 1_000_000
    }
}
