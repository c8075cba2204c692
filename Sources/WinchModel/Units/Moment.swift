/// An instant of the monotonic clock. Pure code never reads a clock: the caller reads it once and passes the instant with
/// the event.
///
/// Shape: nanoseconds since an origin that is fixed for one process and has no meaning in another. Arithmetic wraps on
/// overflow and never traps.
public struct Moment: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// `seconds` after the origin; for tests and replays.
    package init(seconds: Double) { nanoseconds = Int64(seconds * 1e9) }

    public static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }
    package static func + (moment: Moment, span: Duration) -> Moment {
        Moment(nanoseconds: moment.nanoseconds &+ span.nanoseconds)
    }
    package static func - (left: Moment, right: Moment) -> Duration {
        .nanoseconds(left.nanoseconds &- right.nanoseconds)
    }
}

extension Moment: Codable {
    /// Decodes nanoseconds. Those of another clock are moved to this one's origin by `CodingUserInfoKey.clockShift`.
    public init(from decoder: any Decoder) throws {
        let shift = CodingUserInfoKey.clockShift.flatMap { decoder.userInfo[$0] as? Int64 } ?? 0
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self) &+ shift
    }

    public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}

extension CodingUserInfoKey {
    /// Nanoseconds (`Int64`) that a decoder adds to every `Moment`.
    package static let clockShift = CodingUserInfoKey(rawValue: "clockShift")
}

extension Duration {
    /// The same, within 10^15 s (30 million years). `components` traps on a duration whose seconds fit no `Int64`, which a client
    /// of a session or a ledger may contain.
    package var bounded: Duration { min(max(self, .seconds(-Self.bound)), .seconds(Self.bound)) }
    private static let bound: Int64 = 1_000_000_000_000_000

    package var seconds: Double {
        let (seconds, attoseconds) = bounded.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The duration in whole nanoseconds; one that does not fit is clamped to half the range of `Int64` (146 years).
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = bounded.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min / 2 : .max / 2) : scaled &+ attoseconds / 1_000_000_000
    }
}

extension Duration {
    /// A duration of so many seconds, clamped to 10^15 (30 million years); zero for NaN. Use it for numbers from outside:
    /// `Duration.seconds` traps on those that are too large.
    package static func saturating(_ seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        return .seconds(max(-1e15, min(seconds, 1e15)))
    }
}

/// A point in calendar time. Unlike a `Moment` it has a meaning after the end of the process, so it can be stored.
///
/// Shape: milliseconds since 1970-01-01 00:00 UTC.
package struct UnixTime: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: UnixTime, right: UnixTime) -> Bool { left.milliseconds < right.milliseconds }
}

/// Converts between the monotonic time of this process and calendar time.
package struct CalendarConversion: Hashable, Sendable {
    /// 1970-01-01 00:00 UTC as a `Moment`, in nanoseconds.
    private let origin: Int64

    /// - Parameters:
    ///   - moment: any instant.
    ///   - date: the same instant in calendar time.
    package init(_ moment: Moment, is date: UnixTime) { origin = moment.nanoseconds &- Self.nanoseconds(date) }

    package func date(of moment: Moment) -> UnixTime {
        UnixTime(milliseconds: (moment.nanoseconds &- origin) / 1_000_000)
    }

    package func moment(of date: UnixTime) -> Moment { Moment(nanoseconds: origin &+ Self.nanoseconds(date)) }

    /// Clamped to 146 years around 1970, because a date from a file may be any number.
    private static func nanoseconds(_ date: UnixTime) -> Int64 {
        let most = Int64.max / 2_000_000
        return min(max(date.milliseconds, -most), most) * 1_000_000
    }
}
