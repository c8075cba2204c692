import Glibc
public import WinchCore

/// The machine's clocks. Only the edges of the program read them; all else gets the time as a value.
public enum SystemClock {
    /// CLOCK_MONOTONIC.
    public static func moment() -> Moment {
        Moment(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC))
    }

    /// How long the machine has slept since it was started: CLOCK_BOOTTIME counts that, CLOCK_MONOTONIC does not.
    public static func slept() -> Duration {
        .nanoseconds(nanoseconds(of: CLOCK_BOOTTIME) - nanoseconds(of: CLOCK_MONOTONIC))
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Seconds since 1970.
    public static func wallSeconds() -> Int64 { Int64(time(nil)) }
}
