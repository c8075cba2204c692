import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A value typed by the user` {
    @Test(arguments: [
        ("500K", 512_000.0), ("5.0 MiB/s", 5_242_880), ("5 MB/s", 5_242_880), ("5MB", 5_242_880), ("2m", 2_097_152),
    ])
    func `may be a rate in the form that Winch prints`(text: String, perSecond: Double) throws {
        try expectEqual(ByteRate.limit(reading: text), ByteRate(perSecond: perSecond))
    }

    @Test(arguments: ["none", "0", "off", "NONE", "0.0", "0 B/s"])
    func `may remove the rate limit`(text: String) throws {
        try expectNil(ByteRate.limit(reading: text))
    }

    @Test(arguments: [
        ("fast", "'fast' is not a rate; use 500K or 2M (bytes a second), or none"),
        ("2,5M", "'2,5M' has a decimal comma; write 2.5M"), ("5 MiBps", "'5 MiBps' is not a rate"),
        ("-1", "'-1' is not a rate"), (",5M", "',5M' is not a rate"),
        ("", "'' is not a rate"), ("  ", "'' is not a rate"),
        ("0.1", "'0.1' is less than a byte a second; use 500K or 2M, or none"),
        ("0.0001K", "'0.0001K' is less than a byte a second"),
    ])
    func `that is not a rate is refused with an example`(text: String, words: String) {
        do throws(InvalidValue) {
            _ = try ByteRate.limit(reading: text)
            Issue.record("taken")
        } catch {
            expect(error.message.hasPrefix(words), "\(error.message)")
        }
    }

    @Test func `that is not a size or a time is refused with an example`() {
        #expect(throws: InvalidValue("'1,5G' has a decimal comma; write 1.5G")) { try ByteCount.size(reading: "1,5G") }
        #expect(throws: InvalidValue("a size must be above 0")) { try ByteCount.size(reading: "0") }
        #expect(throws: InvalidValue("'big' is not a size; use 500K or 2G (bytes)")) {
            try ByteCount.size(reading: "big")
        }
        #expect(throws: InvalidValue("'soon' is not a time; use 30 (seconds), 0.5 or 1m 30s")) {
            try Duration.span(reading: "soon")
        }
        #expect(throws: InvalidValue("'0,5' has a decimal comma; write 0.5")) { try Duration.span(reading: "0,5") }
    }
}

@Suite struct `A duration` {
    @Test(arguments: [
        ("0", 0.0), ("30", 30), ("0.5", 0.5), ("3200000000", 3.2e9), ("10s", 10), ("1m 30s", 90), ("1m30s", 90),
        ("3 m 52 s", 232), ("2 h 5 m", 7500), ("1 d", 86_400), ("1.5h", 5400), ("10 min", 600), (" 5 sec ", 5),
    ])
    func `is parsed as seconds`(text: String, seconds: Double) {
        expectEqual(Duration(parsingSeconds: text)?.seconds, seconds)
    }

    @Test(arguments: [
        "", "-1", "s", "1s 1m", "1m 1m", "1 x", "1m 3", "99999999d", "1e3", "inf", "nan", "3200000001", "soon",
    ])
    func `is refused in any other format`(text: String) {
        expectNil(Duration(parsingSeconds: text))
    }

    @Test func `is limited to what nanoseconds can represent`() {
        expectEqual(Duration.seconds(Int64.max).nanoseconds, .max / 2)
        expectEqual(Duration.seconds(-Int64.max).nanoseconds, .min / 2)
        expectEqual(Duration.milliseconds(-1500).nanoseconds, -1_500_000_000)
    }
}
