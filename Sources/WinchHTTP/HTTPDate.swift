import WinchModel

/// Parses dates in HTTP headers: the current format and the two obsolete ones that must still be accepted. By hand, because
/// `strptime` depends on the locale, and Foundation is not available in this module.
///
/// - Source: RFC 9110, section 5.6.7.
package enum HTTPDate {
    /// Seconds since 1970-01-01 00:00 UTC; `nil` when the text is no valid date.
    package static func seconds(_ text: some StringProtocol) -> Int64? {
        // Sun, 06 Nov 1994 08:49:37 GMT | Sunday, 06-Nov-94 08:49:37 GMT | Sun Nov  6 08:49:37 1994
        guard text.utf8.count <= 64 else { return nil }
        let parts = Array(text.utf8).split {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "-")
        }
        guard parts.count >= 5 else { return nil }
        let isAsctime = month(parts[1]) != nil
        let (dayText, monthText, yearText, clock) =
            isAsctime ? (parts[2], parts[1], parts[4], parts[3]) : (parts[1], parts[2], parts[3], parts[4])
        guard let month = month(monthText), let day = number(dayText), (1...31).contains(day),
            let year = year(yearText), let time = secondsOfDay(clock)
        else { return nil }
        return daysSince1970(year: year, month: month, day: day) * 86_400 + time
    }

    private static let months = Array("janfebmaraprmayjunjulaugsepoctnovdec".utf8)

    private static func month(_ text: ArraySlice<UInt8>) -> Int64? {
        let small = text.map { $0 | 0x20 }
        return (0..<12).first { months[3 * $0..<3 * $0 + 3].elementsEqual(small) }.map { Int64($0) + 1 }
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int64? {
        guard (1...4).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// A year of two digits is in 1970...2069.
    private static func year(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let value = number(text) else { return nil }
        return text.count > 2 ? value : value + (value < 70 ? 2000 : 1900)
    }

    private static func secondsOfDay(_ text: ArraySlice<UInt8>) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: ":")).map(number)
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2], hour < 24,
            minute < 60,
            second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Days since 1970-01-01 of a date in the Gregorian calendar. Counts years from March, so that the leap day is the last
    /// day of a year.
    ///
    /// - Source: https://howardhinnant.github.io/date_algorithms.html (`days_from_civil`).
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
