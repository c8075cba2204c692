/// An instant of the monotonic clock. Pure code never reads a clock: the caller reads it once and passes the instant with
/// the event.
///
/// Shape: nanoseconds since an origin that is fixed for one process and has no meaning in another. Arithmetic wraps on
/// overflow and never traps.
public struct Moment: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// `seconds` after the origin; for tests and replays.
    package init(seconds: Double) {
        nanoseconds = Int64(seconds * 1e9)
    }

    /// Whether `left` is earlier.
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

    /// Encodes the nanoseconds since this clock's origin.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}

extension CodingUserInfoKey {
    /// Nanoseconds (`Int64`) that a decoder adds to every `Moment`.
    package static let clockShift = CodingUserInfoKey(rawValue: "clockShift")
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The duration in whole nanoseconds; one that does not fit is clamped to half the range of `Int64` (146 years).
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min / 2 : .max / 2) : scaled &+ attoseconds / 1_000_000_000
    }
}
