/// A point in calendar time. Unlike a `Moment` it has a meaning after the end of the process, so it can be stored.
///
/// Shape: milliseconds since 1970-01-01 00:00 UTC.
public struct UnixTime: Hashable, Comparable, Sendable, Codable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: UnixTime, right: UnixTime) -> Bool { left.milliseconds < right.milliseconds }
}
