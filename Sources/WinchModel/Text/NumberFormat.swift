/// Formats numbers as short text for the user. Values are rounded down, so that the text
/// never shows more bytes or time than were reached.
package enum NumberFormat {
    /// `999 B`, `1.0 KiB`, `12.3 MiB`, `123 GiB`; at most 8 characters, one more when negative.
    package static func bytes(_ count: ByteCount) -> String {
        let unit = Unit.fitting(count.bytes.magnitude)
        return (count.bytes < 0 ? "-" : "") + unit.number(count.bytes.magnitude) + " " + unit.name
    }

    /// `1,000`, `12,345`: digits in threes.
    package static func count(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        let groups = digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digits[index])
        }
        return (number < 0 ? "-" : "") + groups
    }

    /// `12.3 MiB/s`; at most 10 characters.
    package static func rate(_ rate: ByteRate) -> String {
        let perSecond = rate.perSecond.isNaN ? 0 : max(-largestRate, min(rate.perSecond, largestRate))
        return bytes(ByteCount(bytes: Int64(perSecond.rounded()))) + "/s"
    }

    /// Completed and total: `1.2/2.8 GiB` when both have the same unit, else `3.0 MiB/2.8 GiB`; `3.0 MiB/?` while the size
    /// is unknown. At most 17 characters.
    package static func progress(_ have: ByteCount, of size: ByteCount?) -> String {
        guard let size else { return bytes(have) + "/?" }
        let whole = Unit.fitting(size.bytes.magnitude)
        if have.bytes == 0 { return "0/" + bytes(size) }
        if have.bytes > 0, Unit.fitting(have.bytes.magnitude) == whole {
            return whole.number(have.bytes.magnitude) + "/" + bytes(size)
        }
        return bytes(have) + "/" + bytes(size)
    }

    /// 2^62: a `Double` below it converts to `Int64` without a trap.
    private static let largestRate = 4_611_686_018_427_387_904.0
}

/// A power of 1024 with its name.
private struct Unit: Equatable {
    let name: String
    let shift: UInt64

    static func fitting(_ count: UInt64) -> Unit { units.last { count >> $0.shift > 0 } ?? units[0] }

    /// One digit after the decimal point below 100, none from 100 on and for bytes. `rest * 10` cannot overflow, because
    /// `rest` is below 2^60.
    func number(_ count: UInt64) -> String {
        let whole = count >> shift
        guard shift > 0, whole < 100 else { return "\(whole)" }
        let rest = count & ((1 << shift) - 1)
        return "\(whole).\((rest * 10) >> shift)"
    }

    private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"].enumerated()
        .map { Unit(name: $1, shift: UInt64($0) * 10) }
}

/// Formats durations as short text for the user, such as the time elapsed.
package enum DurationFormat {
    /// The largest unit and the next one: `12 s`, `3 m 12 s`, `2 h 5 m`, `3 d 4 h`; whole seconds, rounded down; at most 9
    /// characters below 100 days. A negative duration is `0 s`.
    package static func text(_ span: Duration) -> String {
        let seconds = max(0, span.bounded.components.seconds)
        let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
        if days > 0 { return "\(days) d \(hours % 24) h" }
        if hours > 0 { return "\(hours) h \(minutes % 60) m" }
        return minutes > 0 ? "\(minutes) m \(seconds % 60) s" : "\(seconds) s"
    }

    /// With tenths of seconds below ten seconds, since most files take only a few: `1.5 s`.
    package static func withTenths(_ span: Duration) -> String {
        let tenths = max(0, span.nanoseconds) / 100_000_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) s" : text(span)
    }
}

/// Formats the time that is left as short text for the user, rounded up: `0 s` appears only when none is left.
package enum TimeLeftFormat {
    /// Seconds, 100 days: more is not shown.
    package static let longest = 8_640_000.0

    /// `6 m 52 s`, as `DurationFormat`, rounded up.
    package static func countdown(_ span: Duration) -> String {
        let (seconds, attoseconds) = span.bounded.components
        return DurationFormat.text(.seconds(attoseconds > 0 ? seconds + 1 : seconds))
    }

    /// `about 7 m`, as `rounded`.
    package static func about(_ span: Duration) -> String { "about " + rounded(span) }

    /// As `countdown`, in the largest unit alone, for estimates: `7 m`.
    package static func rounded(_ span: Duration) -> String {
        let whole = span.bounded.components
        let seconds = max(0, whole.seconds + (whole.attoseconds > 0 ? 1 : 0))
        let (size, unit) = [(86_400 as Int64, "d"), (3600, "h"), (60, "m")].first { seconds > $0.0 } ?? (1, "s")
        return "\((seconds + size - 1) / size) \(unit)"
    }

    /// `6 m 52 s left`; `about 7 m left` when it `isGuessed`.
    package static func left(_ span: Duration, isGuessed: Bool) -> String {
        (isGuessed ? about(span) : countdown(span)) + " left"
    }
}
