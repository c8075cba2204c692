import WinchLedger
import WinchModel

extension UnixTime {
    /// In the user's time zone: `2026-11-21 18:30`; empty when the time cannot be represented.
    var localText: String { text("%Y-%m-%d %H:%M", isLocal: true) }
}
