import Glibc
package import WinchModel

/// A time in the past as the user writes it.
package enum SinceText: Hashable, Sendable {
    /// `90m`, `12h`, `7d`, `2w`: this long ago.
    case ago(Duration)
    /// `2026-11-21` or `2026-11-21 18:30` (also with a `T`): in local time.
    case date(year: Int, month: Int, day: Int, hour: Int, minute: Int)

    /// - Returns: `nil` for any other text, and for dates that do not exist.
    package init?(_ text: String) {
        if let last = text.utf8.last, let unit = Self.units.first(where: { $0.letter == last }) {
            guard let count = Self.number(text.dropLast(), digits: 1...6) else { return nil }
            self = .ago(.seconds(count * unit.seconds))
            return
        }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        let days = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard days.count == 3, let year = Self.number(days[0], digits: 4...4), year >= 1970,
            let month = Self.number(days[1], digits: 1...2), (1...12).contains(month),
            let day = Self.number(days[2], digits: 1...2), (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        guard halves.count > 1 else {
            self = .date(year: year, month: month, day: day, hour: 0, minute: 0)
            return
        }
        let clock = halves[1].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2, let hour = Self.number(clock[0], digits: 1...2), hour < 24,
            let minute = Self.number(clock[1], digits: 2...2), minute < 60
        else { return nil }
        self = .date(year: year, month: month, day: day, hour: hour, minute: minute)
    }

    private static let units: [(letter: UInt8, seconds: Int)] = [
        (UInt8(ascii: "m"), 60), (UInt8(ascii: "h"), 3600), (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "w"), 604_800),
    ]

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension UnixTime {
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
