import Glibc
public import WinchCore

/// The machine's clocks, for the edge where time is read.
public enum SystemClock {
    /// CLOCK_MONOTONIC.
    public static func moment() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// Seconds since 1970.
    public static func wallSeconds() -> Int64 { Int64(time(nil)) }
}
