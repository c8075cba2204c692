/// A point in calendar time: what outlives the process, where a `Moment` does not.
///
/// Shape: milliseconds since 1970-01-01 00:00 UTC.
public struct UnixTime: Hashable, Comparable, Sendable, Codable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: UnixTime, right: UnixTime) -> Bool { left.milliseconds < right.milliseconds }
}
