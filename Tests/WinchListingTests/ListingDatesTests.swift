import TestSupport
import Testing
import WinchModel

@testable import WinchListing

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

@Suite struct `A size of a listing` {
    @Test(
        arguments: [
            ("0", 0, 0), ("1234567890", 1_234_567_890, 0), ("9223372036854775807", .max, 0),
            ("1,234,567", 1_234_567, 0),
            ("512 B", 512, 0), ("12 bytes", 12, 0), ("1.2M", 1_258_291, 104_858), ("4.0K", 4096, 103),
            ("12 KiB", 12_288, 1024), ("1.5G", 1_610_612_736, 107_374_183), ("7Ki", 7168, 1024),
            // A million bytes or 1,048,576.
            ("1 MB", 1_024_288, 1_072_864),
        ] as [(String, Int64, Int64)])
    func `is a number with a unit`(text: String, bytes: Int64, tolerance: Int64) {
        let expected = ListedSize(bytes: bytes, tolerance: tolerance)
        expectEqual(ListingSizes.size(Array(text.utf8)[...]), expected)
        let found = ListingSizes.first(in: Array("12:34 a7 5 days ago \(text) x".utf8)[...])
        expectEqual(found?.size, expected)
        expectEqual(found?.range, 20..<(20 + text.utf8.count))
    }

    @Test(arguments: [
        "", "-", "<dir>", "x", "9223372036854775808", "99999999999999999999", "9E9999", "9000000000G", "1.5", "1.",
        ".5",
        "12x", "1 2", "-5", "1,23", "1.2345M",
    ])
    func `is nothing else`(text: String) {
        expectNil(ListingSizes.size(Array(text.utf8)[...]))
    }
}
