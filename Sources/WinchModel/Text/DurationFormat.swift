/// Formats durations as short text for the user, such as the time elapsed.
package enum DurationFormat {
    /// The largest unit and the next one: `12 s`, `3 m 12 s`, `2 h 5 m`, `3 d 4 h`; whole seconds, rounded down; at most 9
    /// characters below 100 days. A negative duration is `0 s`.
    package static func text(_ span: Duration) -> String {
        let seconds = max(0, span.components.seconds)
        let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
        if days > 0 { return "\(days) d \(hours % 24) h" }
        if hours > 0 { return "\(hours) h \(minutes % 60) m" }
        return minutes > 0 ? "\(minutes) m \(seconds % 60) s" : "\(seconds) s"
    }
}
