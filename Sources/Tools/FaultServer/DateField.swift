/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form RFC 9110 (section 5.6.7) lets a server send.
enum DateField {
    /// - Parameter seconds: since 1970, within the years 0 to 9999 or so.
    static func text(_ seconds: Int64) -> String {
        let days = seconds.floorDivided(by: 86_400)
        let inDay = seconds - days * 86_400
        let (year, month, day) = civil(days)
        // 1970-01-01 was a Thursday.
        let weekday = weekdays[Int((days + 4) - (days + 4).floorDivided(by: 7) * 7)]
        let time = [inDay / 3600, inDay / 60 % 60, inDay % 60].map(twoDigits).joined(separator: ":")
        return "\(weekday), \(twoDigits(day)) \(months[Int(month - 1)]) \(year) \(time) GMT"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Day count to Gregorian date, counting years from March so that the leap day comes last (Hinnant, "chrono-compatible
    /// low-level date algorithms").
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Rounds towards minus infinity, as times before 1970 need.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }
}
