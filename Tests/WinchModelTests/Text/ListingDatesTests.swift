import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A date of a listing` {
    /// 2024-03-01 00:00:00 UTC.
    private static let now: Int64 = 1_709_251_200

    private func text(_ time: ListedTime?) -> String? {
        time.map { "\($0.seconds) \($0.precision)\($0.isZoned ? " zoned" : "")" }
    }

    @Test(
        arguments: [
            ("2024-01-05 12:34", "1704458040 minute"),
            ("2024-01-05", "1704412800 day"),
            ("2024/01/05 12:34:56", "1704458096 second"),
            ("2024-Jan-05 12:34:56", "1704458096 second"),
            ("2024-01-05T12:34:56Z", "1704458096 second zoned"),
            ("2024-01-05T12:34:56.789+01:00", "1704454496 second zoned"),
            ("2024-01-05 12:34:56 +0100", "1704454496 second zoned"),
            ("05-Jan-2024 12:34", "1704458040 minute"),
            ("Fri, 05 Jan 2024 12:34:56 GMT", "1704458096 second zoned"),
            ("Fri Jan  5 12:34:56 2024", "1704458096 second"),
            ("01-05-24  12:34PM", "1704458040 minute"),
            ("1/5/2024  3:04 PM", "1704467040 minute"),
            ("1/15/2024 12:04 AM", "1705277040 minute"),
            ("15.01.2024 00:04", "1705277040 minute"),
            ("Friday, January 5, 2024 3:04 PM", "1704467040 minute"),
            ("Jan  5 12:34", "1704458040 minute"),
            ("Jan  5  2024", "1704412800 day"),
            ("5 Jan 12:34", "1704458040 minute"),
            ("29-Feb-2024 23:59", "1709251140 minute"),
        ] as [(String, String)])
    func `has one of many forms`(date: String, expected: String) {
        let found = ListingDates.first(in: Array("a 7 \(date) 12 b".utf8)[...], now: Self.now)
        expectEqual(text(found?.time), expected)
        expectEqual(found?.range, 4..<(4 + date.utf8.count))
    }

    @Test(arguments: [
        "29-Feb-2023 12:34", "2024-13-01", "2024-00-10", "2024-01-32", "12:34", "x2024-01-05", "2024-01-055", "Jan 5",
        "Foo 5 12:34", "99999999999-01-05", "1.2.3", "Mon", "0000-01-01",
    ])
    func `is a day of the calendar`(text: String) {
        expectNil(ListingDates.first(in: Array(text.utf8)[...], now: Self.now)?.time)
    }

    /// What `ls` writes behind its date is a name.
    @Test(
        arguments: [
            ("Jan  5 12:34 PM notes", 12), ("Jan  5 12:34 GMT", 12), ("Jan  5  2024 12:34", 12),
            ("Jan  5 12:34 +0100", 12),
            ("2024-01-05 12:34 PM", 16),
        ] as [(String, Int)])
    func `ends before a name`(line: String, end: Int) {
        expectEqual(ListingDates.first(in: Array(line.utf8)[...], now: Self.now)?.range, 0..<end)
    }

    @Test(
        arguments: [
            // At 2024-03-01 00:00: up to a day ahead is this year.
            ("Mar  1 12:00", 1_709_251_200, 1_709_294_400),
            ("Mar  3 12:00", 1_709_251_200, 1_677_844_800),
            ("Feb 29 12:00", 1_709_251_200, 1_709_208_000),
            // At 2023-12-31 23:00: the server's day has begun.
            ("Jan  1 12:00", 1_704_063_600, 1_704_110_400),
            // At 2024-01-01 12:00.
            ("Dec 31 23:00", 1_704_110_400, 1_704_063_600),
        ] as [(String, Int64, Int64)])
    func `without a year is the last such day`(date: String, now: Int64, expected: Int64) {
        expectEqual(ListingDates.first(in: Array(date.utf8)[...], now: now)?.time.seconds, expected)
    }

    @Test(
        arguments: [
            ("20240105123456", "1704458096 second zoned"), ("20240105123456.789", "1704458096 second zoned"),
            ("20240229235900", "1709251140 second zoned"), ("20230229235900", nil), ("2024010512345", nil),
            ("20240105123456x", nil), ("20240105240000", nil), ("", nil),
        ] as [(String, String?)])
    func `of a machine's list is in UTC`(date: String, expected: String?) {
        expectEqual(text(ListingDates.machine(Array(date.utf8)[...])), expected)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "784111777 second zoned"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "784111777 second zoned"),
            ("Sun Nov  6 08:49:37 1994", "784111777 second zoned"),
            ("1994-11-06T08:49:37Z", "784111777 second zoned"), ("1994-11-06T08:49:37", "784111777 second"),
            ("1994-11-06T08:49:37Z ", nil), ("Nov  6 08:49", nil), ("11/06/94 08:49", nil), ("", nil),
        ] as [(String, String?)])
    func `of a protocol is the whole text`(date: String, expected: String?) {
        expectEqual(text(ListingDates.exact(Array(date.utf8)[...])), expected)
    }
}

@Suite struct `An HTTP date` {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `is parsed in all three forms`(text: String) {
        expectEqual(ListingDates.http(text), 784_111_777)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func `is converted to seconds since 1970`(text: String, seconds: Int64) {
        expectEqual(ListingDates.http(text), seconds)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 40 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", ", , , , ,",
        "Sun, 06 Nov 1994 08:49 GMT", "Thu, 31 Feb 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func `is refused in any other form`(text: String) {
        expectNil(ListingDates.http(text))
    }
}
