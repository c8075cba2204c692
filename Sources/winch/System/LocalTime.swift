import WinchLedger
import WinchModel
import WinchTransport

/// Calendar time in the user's time zone.
enum LocalTime {
    /// Reads the wall clock.
    static func now() -> UnixTime { SystemClock.date() }

    /// Formats as `2026-11-21 18:30`; empty when the time cannot be represented.
    static func text(_ time: UnixTime) -> String { time.text("%Y-%m-%d %H:%M", isLocal: true) }
}
