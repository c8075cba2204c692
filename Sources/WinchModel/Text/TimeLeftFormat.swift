/// Formats the time that is left as short text for the user, rounded up: `0 s` appears only when none is left.
package enum TimeLeftFormat {
    /// Seconds, 100 days: more is not shown.
    package static let longest = 8_640_000.0

    /// `6 m 52 s`, as `DurationFormat`, rounded up.
    package static func countdown(_ span: Duration) -> String {
        let (seconds, attoseconds) = span.components
        return DurationFormat.text(.seconds(attoseconds > 0 ? seconds + 1 : seconds))
    }

    /// As `countdown`, in the largest unit alone, for estimates: `about 7 m`.
    package static func about(_ span: Duration) -> String {
        let seconds = max(0, span.components.seconds + (span.components.attoseconds > 0 ? 1 : 0))
        let (size, unit) = [(86_400 as Int64, "d"), (3600, "h"), (60, "m")].first { seconds > $0.0 } ?? (1, "s")
        return "about \((seconds + size - 1) / size) \(unit)"
    }

    /// `6 m 52 s left`; `about 7 m left` when it `isGuessed`.
    package static func left(_ span: Duration, isGuessed: Bool) -> String {
        (isGuessed ? about(span) : countdown(span)) + " left"
    }
}
