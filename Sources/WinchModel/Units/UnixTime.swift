/// A point in calendar time. Unlike a `Moment` it has a meaning after the end of the process, so it can be stored.
///
/// Shape: milliseconds since 1970-01-01 00:00 UTC.
package struct UnixTime: Hashable, Comparable, Sendable, Codable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: UnixTime, right: UnixTime) -> Bool { left.milliseconds < right.milliseconds }
}
