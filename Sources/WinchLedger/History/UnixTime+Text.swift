import Glibc
package import WinchModel

extension UnixTime {
    /// A time in the past as the user writes it.
    ///
    /// - Parameter text: `90m`, `12h`, `7d`, `2w`: this long before `now`; `2026-11-21` or `2026-11-21 18:30` (also with a `T`):
    ///   in the user's time zone.
    /// - Returns: `nil` for any other text, and for dates that do not exist.
    package init?(since text: String, now: UnixTime) {
        let units: [Substring: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        if let seconds = units[text.suffix(1)] {
            guard text.utf8.count <= 7, let count = Int64(digits: text.dropLast()) else { return nil }
            self.init(milliseconds: now.milliseconds - count * seconds * 1000)
            return
        }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        let days = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let clock = halves.count > 1 ? halves[1].split(separator: ":", omittingEmptySubsequences: false) : ["0", "0"]
        let numbers = (days + clock).compactMap { $0.utf8.count <= 4 ? Int32(digits: $0) : nil }
        guard days.count == 3, clock.count == 2, numbers.count == 5, numbers[0] >= 1970 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (parts.tm_hour, parts.tm_min) = (numbers[3], numbers[4])
        // -1: mktime determines whether daylight saving time is in effect.
        parts.tm_isdst = -1
        // A date that does not exist becomes another one.
        var known = parts
        timegm(&known)
        guard
            (known.tm_mon, known.tm_mday, known.tm_hour, known.tm_min)
                == (parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min)
        else { return nil }
        self.init(milliseconds: Int64(mktime(&parts)) * 1000)
    }

    /// The calendar time as `strftime` writes it; empty when the calendar has no such time, or for more than 63 bytes.
    ///
    /// - Parameter isLocal: in the user's time zone, else in UTC.
    package func text(_ format: String, isLocal: Bool = false) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard (isLocal ? localtime_r(&seconds, &parts) : gmtime_r(&seconds, &parts)) != nil else { return "" }
        return String(unsafeUninitializedCapacity: 64) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
        }
    }
}
