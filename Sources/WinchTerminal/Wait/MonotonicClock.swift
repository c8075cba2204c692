import Glibc
public import WinchCore

/// The one clock that moments are read from: it never jumps, and means nothing outside of the process.
public struct MonotonicClock: Sendable {
    public init() {}

    public func now() -> Moment { Moment(nanoseconds: Self.nanoseconds(of: CLOCK_MONOTONIC)) }

    /// What to add to a moment to get the time of day, in seconds since 1970.
    public func unixOffset() -> Double {
        Double(Self.nanoseconds(of: CLOCK_REALTIME) - Self.nanoseconds(of: CLOCK_MONOTONIC)) / 1e9
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
