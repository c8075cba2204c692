import Glibc
import WinchLedger
import WinchModel
import WinchTransport

/// Calendar time in the user's time zone.
enum LocalTime {
    /// Reads the wall clock.
    static func now() -> UnixTime { SystemClock.date() }

    /// Formats as `2026-11-21 18:30`; empty when the time cannot be represented.
    static func text(_ time: UnixTime) -> String { time.text("%Y-%m-%d %H:%M", isLocal: true) }

    /// The time that `text` stands for at `now`.
    static func time(_ text: SinceText, now: UnixTime) -> UnixTime {
        switch text {
        case .ago(let span):
            return UnixTime(milliseconds: now.milliseconds - span.components.seconds * 1000)
        case .date(let year, let month, let day, let hour, let minute):
            var parts = tm()
            parts.tm_year = Int32(year - 1900)
            parts.tm_mon = Int32(month - 1)
            parts.tm_mday = Int32(day)
            parts.tm_hour = Int32(hour)
            parts.tm_min = Int32(minute)
            // -1: mktime determines whether daylight saving time is in effect.
            parts.tm_isdst = -1
            return UnixTime(milliseconds: Int64(mktime(&parts)) * 1000)
        }
    }
}
