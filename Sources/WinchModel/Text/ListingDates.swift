/// Dates in the forms in which servers write them. By hand, because `strptime` depends on the locale, there is no Foundation
/// in this module, and one text may hold more than the date.
package enum ListingDates {
    /// The first date in a text, and where it stands. It may be `2024-01-05 12:34`, `2024-Jan-05 12:34:56`, ISO 8601,
    /// `05-Jan-2024 12:34`, `Jan 5 12:34`, `Jan 5 2024`, `5 Jan 12:34`, `01-05-24 12:34PM`, `1/5/2024 3:04 PM`, a date of HTTP,
    /// or one of these with the day of the week before it.
    ///
    /// What follows the forms of `ls` may be a name: a year ends them, and a blank before `PM` or a zone is read only where
    /// `ls` writes none.
    ///
    /// - Parameter now: seconds since 1970 UTC, to find the year that `ls` leaves out.
    package static func first(in text: ArraySlice<UInt8>, now: Int64) -> (time: ListedTime, range: Range<Int>)? {
        var isInWord = false
        for start in text.indices {
            let isOfWord = text[start].isAlphanumeric
            defer { isInWord = isOfWord }
            guard isOfWord, !isInWord else { continue }
            var reader = DateReader(rest: text[start...].prefix(DateReader.longest), now: now)
            if let time = reader.date() { return (time, start..<reader.rest.startIndex) }
        }
        return nil
    }

    /// MLSD's `YYYYMMDDHHMMSS[.sss]`, always UTC.
    ///
    /// - Source: RFC 3659, section 2.3.
    package static func machine(_ text: ArraySlice<UInt8>) -> ListedTime? {
        let digits = text.prefix { $0 != UInt8(ascii: ".") }
        guard digits.count == 14, text.dropFirst(15).allSatisfy(\.isDigit) else { return nil }
        guard let number = Int(digits: String(decoding: digits, as: UTF8.self)) else { return nil }
        let (date, clock) = (number / 1_000_000, number % 1_000_000)
        let (hour, minute, second) = (clock / 10_000, clock / 100 % 100, clock % 100)
        guard let days = days(year: date / 10_000, month: date / 100 % 100, day: date % 100), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        return ListedTime(seconds: seconds, precision: .second, isZoned: true)
    }

    /// A date of HTTP, in its present or one of its old forms, or of ISO 8601, as the whole text.
    ///
    /// - Source: RFC 9110, section 5.6.7; RFC 3339.
    package static func exact(_ text: ArraySlice<UInt8>) -> ListedTime? {
        guard text.count <= DateReader.longest else { return nil }
        var reader = DateReader(rest: text, now: nil)
        guard var time = reader.date(), reader.rest.isEmpty, reader.isISO || reader.hasWeekday else { return nil }
        // The old form of asctime names no zone, and is UTC.
        if reader.hasWeekday { time.isZoned = true }
        return time
    }

    /// A date of HTTP, in its present or one of its old forms, as the whole text, in seconds since 1970 UTC.
    ///
    /// - Source: RFC 9110, section 5.6.7.
    package static func http(_ text: some StringProtocol) -> Int64? {
        let bytes = Array(text.utf8)
        // It begins with the day of the week.
        guard let first = bytes.first, !first.isDigit, let time = exact(bytes[...]), time.precision == .second else {
            return nil
        }
        return time.seconds
    }

    /// Days since 1970 of a civil date; `nil`: there is no such day, or its year is not in 1600...9999.
    ///
    /// - Source: https://howardhinnant.github.io/date_algorithms.html (`days_from_civil`).
    fileprivate static func days(year: Int, month: Int, day: Int) -> Int64? {
        guard (1600...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let longest = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= longest[month - 1] else { return nil }
        // Years are counted from March, so that the leap day is the last day of a year.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return Int64(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
    }

    /// The year of a time, in 1970...9998.
    fileprivate static func year(of seconds: Int64) -> Int {
        let day = min(max(seconds, 0), 253_370_764_799) / 86_400
        let year = 1970 + Int(day * 400 / 146_097)
        if let start = days(year: year, month: 1, day: 1), start > day { return year - 1 }
        if let next = days(year: year + 1, month: 1, day: 1), next <= day { return year + 1 }
        return year
    }
}

/// Reads one date from the start of a text.
private struct DateReader {
    /// More bytes than any date has.
    static let longest = 64
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ].map { Array($0.utf8) }
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        .map { Array($0.utf8) }

    /// What has not been read.
    private(set) var rest: ArraySlice<UInt8>
    private(set) var hasWeekday = false
    private(set) var isISO = false
    /// Seconds since 1970; `nil`: a date without a year is none.
    private let now: Int64?

    init(rest: ArraySlice<UInt8>, now: Int64?) {
        (self.rest, self.now) = (rest, now)
    }

    private struct Clock {
        var seconds: Int64
        var precision: ListedTime.Precision
        /// Seconds east of UTC; `nil`: no zone is named.
        var zone: Int64?
    }

    mutating func date() -> ListedTime? {
        if name(of: Self.weekdays) != nil {
            hasWeekday = true
            take(",")
            guard takeBlanks() else { return nil }
        }
        guard rest.first?.isDigit ?? false else { return monthFirst() }
        if rest.prefix(while: \.isDigit).count == 4 { return yearFirst() }
        return numberFirst()
    }

    /// `2024-01-05`, `2024/01/05`, `2024-Jan-05`.
    private mutating func yearFirst() -> ListedTime? {
        guard let year = number(4...4), let separator = separator(of: "-/") else { return nil }
        let named = name(of: Self.months)
        guard let month = named.map({ $0 + 1 }) ?? number(1...2), rest.first == separator else { return nil }
        rest.removeFirst()
        guard let day = number(1...2) else { return nil }
        isISO = named == nil && separator == UInt8(ascii: "-")
        let clock = clockAfterDate()
        return time(year, month, day, clock)
    }

    /// `05-Jan-2024`, `5 Jan 2024`, `5 Jan 12:34`, `01-05-24`, `1/5/2024`, `05.01.2024`.
    private mutating func numberFirst() -> ListedTime? {
        guard let first = number(1...2) else { return nil }
        guard let separator = separator(of: "-/.") else {
            guard takeBlanks(), let month = name(of: Self.months), takeBlanks() else { return nil }
            if let year = number(4...4) {
                let clock = clockAfterDate(mustHaveSeconds: !hasWeekday)
                return time(year, month + 1, first, clock)
            }
            return clock().flatMap { timeWithoutYear(month + 1, first, $0) }
        }
        if let month = name(of: Self.months) {
            guard rest.first == separator else { return nil }
            rest.removeFirst()
            guard let year = year() else { return nil }
            let clock = clockAfterDate()
            return time(year, month + 1, first, clock)
        }
        guard let second = number(1...2), rest.first == separator else { return nil }
        rest.removeFirst()
        guard let year = year() else { return nil }
        let isDayFirst = first > 12 || separator == UInt8(ascii: ".")
        let (month, day) = isDayFirst ? (second, first) : (first, second)
        let clock = clockAfterDate(mayHaveBlank: true)
        return time(year, month, day, clock)
    }

    /// `Jan 5 12:34`, `Jan 5 2024`, `Jan 5 12:34:56 2024`, `January 5, 2024 3:04 PM`.
    private mutating func monthFirst() -> ListedTime? {
        guard let month = name(of: Self.months), takeBlanks(), let day = number(1...2) else { return nil }
        let hasComma = take(",")
        guard takeBlanks() else { return nil }
        guard let clock = clock() else {
            guard let year = number(4...4) else { return nil }
            let clock = hasComma || hasWeekday ? clockAfterDate(mayHaveBlank: true) : nil
            return time(year, month + 1, day, clock)
        }
        let end = rest
        if clock.precision == .second, takeBlanks(), let year = number(4...4) {
            return time(year, month + 1, day, clock)
        }
        rest = end
        return timeWithoutYear(month + 1, day, clock)
    }

    /// - Parameter clock: read before the call, which looks at what follows it.
    private func time(_ year: Int, _ month: Int, _ day: Int, _ clock: Clock?) -> ListedTime? {
        guard let days = ListingDates.days(year: year, month: month, day: day), isAtEndOfWord else { return nil }
        return ListedTime(
            seconds: days * 86_400 + (clock?.seconds ?? 0) - (clock?.zone ?? 0), precision: clock?.precision ?? .day,
            isZoned: clock?.zone != nil)
    }

    /// The last such day that is not more than a day ahead, since the server's clock may be.
    private func timeWithoutYear(_ month: Int, _ day: Int, _ clock: Clock) -> ListedTime? {
        guard let now else { return nil }
        let year = ListingDates.year(of: now)
        for year in [year + 1, year, year - 1] {
            if let time = time(year, month, day, clock), time.seconds - 86_400 <= now { return time }
        }
        return nil
    }

    private var isAtEndOfWord: Bool { !(rest.first?.isAlphanumeric ?? false) }

    /// A time behind blanks or a `T`; otherwise nothing is read.
    private mutating func clockAfterDate(mustHaveSeconds: Bool = false, mayHaveBlank: Bool = false) -> Clock? {
        let start = rest
        if take("T") || takeBlanks(), let clock = clock(mayHaveBlank: mayHaveBlank),
            !mustHaveSeconds || clock.precision == .second
        {
            return clock
        }
        rest = start
        return nil
    }

    /// `12:34`, `12:34:56.789`, with AM or PM, and a zone; otherwise nothing is read.
    ///
    /// - Parameter mayHaveBlank: a blank before AM or PM.
    private mutating func clock(mayHaveBlank: Bool = false) -> Clock? {
        let start = rest
        guard var hour = number(1...2), take(":"), let minute = number(2...2), minute < 60 else {
            rest = start
            return nil
        }
        let second = seconds()
        if let isAfternoon = half(mayHaveBlank: mayHaveBlank) {
            hour = (1...12).contains(hour) ? hour % 12 + (isAfternoon ? 12 : 0) : 24
        }
        guard hour < 24 else {
            rest = start
            return nil
        }
        return Clock(
            seconds: Int64(hour * 3600 + minute * 60 + (second ?? 0)), precision: second == nil ? .minute : .second,
            zone: zone(mayHaveBlank: second != nil))
    }

    /// `:56.789`, whose fraction is dropped.
    private mutating func seconds() -> Int? {
        let start = rest
        guard take(":"), let second = number(2...2), second <= 60 else {
            rest = start
            return nil
        }
        let fraction = rest.dropFirst().prefix(while: \.isDigit)
        if let mark = rest.first, ".,".utf8.contains(mark), !fraction.isEmpty { rest = rest[fraction.endIndex...] }
        return second
    }

    /// AM or PM: whether it is the second; otherwise nothing is read.
    private mutating func half(mayHaveBlank: Bool) -> Bool? {
        let start = rest
        if mayHaveBlank { takeBlanks() }
        switch String(decoding: letters(), as: UTF8.self) {
        case "am": return false
        case "pm": return true
        default:
            rest = start
            return nil
        }
    }

    /// `Z`, `+01:00`, `+0100`, or behind blanks `GMT` or `UTC`; otherwise nothing is read.
    private mutating func zone(mayHaveBlank: Bool) -> Int64? {
        let start = rest
        if mayHaveBlank { takeBlanks() }
        if let sign = separator(of: "+-") {
            var hour = number(2...2)
            var minute = hour != nil && take(":") ? number(2...2) : nil
            if hour == nil, let both = number(4...4) { (hour, minute) = (both / 100, both % 100) }
            if let hour, let minute, hour < 24, minute < 60, isAtEndOfWord {
                return Int64(hour * 3600 + minute * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
            }
        } else if ["z", "gmt", "utc"].contains(String(decoding: letters(), as: UTF8.self)), isAtEndOfWord {
            return 0
        }
        rest = start
        return nil
    }

    // MARK: Words

    /// Reads a number if it has so many digits; they are at most 4.
    private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
        let run = rest.prefix(while: \.isDigit)
        guard digits.contains(run.count) else { return nil }
        rest = rest[run.endIndex...]
        var value = 0
        for digit in run { value = value * 10 + Int(digit - UInt8(ascii: "0")) }
        return value
    }

    /// A year of four digits, or of two, which is in 1970...2069.
    private mutating func year() -> Int? {
        if let year = number(4...4) { return year }
        return number(2...2).map { $0 + ($0 < 70 ? 2000 : 1900) }
    }

    /// Reads a name or its beginning of at least three letters, and says which of the names it is.
    private mutating func name(of names: [[UInt8]]) -> Int? {
        let start = rest
        let word = letters()
        if word.count >= 3, let index = names.firstIndex(where: { $0.starts(with: word) }) { return index }
        rest = start
        return nil
    }

    /// Reads letters; they are given in lower case.
    private mutating func letters() -> [UInt8] {
        let run = rest.prefix { $0.isAlphanumeric && !$0.isDigit }
        rest = rest[run.endIndex...]
        return run.map { $0 | 0x20 }
    }

    /// Reads one of these bytes.
    private mutating func separator(of bytes: String) -> UInt8? {
        guard let byte = rest.first, bytes.utf8.contains(byte) else { return nil }
        rest.removeFirst()
        return byte
    }

    @discardableResult
    private mutating func take(_ scalar: String) -> Bool { separator(of: scalar) != nil }

    @discardableResult
    private mutating func takeBlanks() -> Bool {
        let run = rest.prefix { $0.isBlank || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        rest = rest[run.endIndex...]
        return !run.isEmpty
    }
}
