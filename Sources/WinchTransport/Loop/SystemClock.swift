import Glibc
package import WinchModel

/// The machine's clocks. Only the edges of the program read them; all else gets the time as a value.
package enum SystemClock {
    /// CLOCK_MONOTONIC.
    package static func moment() -> Moment {
        Moment(nanoseconds: nanoseconds(of: CLOCK_MONOTONIC))
    }

    /// How long the machine has slept since it was started: CLOCK_BOOTTIME counts that, CLOCK_MONOTONIC does not.
    package static func slept() -> Duration {
        .nanoseconds(nanoseconds(of: CLOCK_BOOTTIME) - nanoseconds(of: CLOCK_MONOTONIC))
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The calendar time.
    package static func date() -> UnixTime {
        UnixTime(milliseconds: nanoseconds(of: CLOCK_REALTIME) / 1_000_000)
    }

    /// Seconds since 1970.
    package static func wallSeconds() -> Int64 { Int64(time(nil)) }
}

extension Moment {
    /// The first multiple of `span` on the clock after this instant.
    func next(multipleOf span: Duration) -> Moment {
        let span = max(1, span.nanoseconds)
        let into = ((nanoseconds % span) + span) % span
        return Moment(nanoseconds: nanoseconds &+ (span - into))
    }
}
