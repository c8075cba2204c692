import Glibc
package import WinchModel

/// The clock that moments are read from, `CLOCK_MONOTONIC`: it never jumps, and its values have no meaning outside
/// the process.
package struct MonotonicClock: Sendable {
    package init() {}

    package func now() -> Moment { Moment(nanoseconds: Self.nanoseconds(of: CLOCK_MONOTONIC)) }

    /// Seconds to add to a moment's seconds to get the seconds since 1970.
    package func unixOffset() -> Double {
        Double(Self.nanoseconds(of: CLOCK_REALTIME) - Self.nanoseconds(of: CLOCK_MONOTONIC)) / 1e9
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
