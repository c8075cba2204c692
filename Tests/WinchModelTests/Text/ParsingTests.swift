import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A number of bytes` {
    @Test(arguments: [
        ("0", 0), ("500", 500), ("1k", 1024), ("1K", 1024), ("1.5M", 1_572_864), ("2G", 2_147_483_648),
        ("1T", 1_099_511_627_776), ("0.5K", 512), ("007", 7), (".5K", 512),
        // As Winch and others print it.
        ("1 K", 1024), ("1KB", 1024), ("1.5 MiB", 1_572_864), ("5mb", 5_242_880), ("500 B", 500),
        (" 2G ", 2_147_483_648),
    ])
    func `is parsed with its unit`(text: String, bytes: Int64) {
        #expect(ByteCount(parsing: text)?.bytes == bytes)
    }

    @Test(arguments: [
        "", "K", "-1", "+1", "1e3", "0x10", "nan", "inf", "1.2.3", "KK", "1 iB", "1Ki i", "1 MiB/s", "1 2K", "BB", ".",
        "9999999T", "1\u{301}", "１",
        String(repeating: "9", count: 400),
    ])
    func `is refused in any other form`(text: String) {
        #expect(ByteCount(parsing: text) == nil)
    }

    @Test func `does not overflow when negated`() {
        #expect((-ByteCount(.min)).bytes == .min)
        #expect((-ByteCount(5)).bytes == -5)
    }

    @Test func `divided by a time is a rate`() {
        #expect(ByteCount(1000).rate(over: .seconds(2)) == ByteRate(perSecond: 500))
        #expect(ByteCount(1000).rate(over: .zero) == nil)
        #expect(ByteRate(perSecond: 0).time(for: ByteCount(1)) == nil)
        #expect(ByteRate(perSecond: 10).time(for: ByteCount(-5)) == .zero)
        #expect(ByteRate(perSecond: .nan) == .zero)
        #expect(ByteRate(perSecond: -5) == .zero)
    }
}

@Suite struct `A value typed by the user` {
    @Test(arguments: [
        ("500K", 512_000.0), ("5.0 MiB/s", 5_242_880), ("5 MB/s", 5_242_880), ("5MB", 5_242_880), ("2m", 2_097_152),
    ])
    func `may be a rate in the form that Winch prints`(text: String, perSecond: Double) throws {
        #expect(try ByteRate.limit(reading: text) == ByteRate(perSecond: perSecond))
    }

    @Test(arguments: ["none", "", "0", "off", "  ", "NONE", "0 B/s"])
    func `may remove the rate limit`(text: String) throws {
        #expect(try ByteRate.limit(reading: text) == nil)
    }

    @Test(arguments: [
        ("fast", "'fast' is not a rate; use 500K or 2M (bytes a second), or none"),
        ("2,5M", "'2,5M' has a decimal comma; write 2.5M"), ("5 MiBps", "'5 MiBps' is not a rate"),
        ("-1", "'-1' is not a rate"), (",5M", "',5M' is not a rate"),
    ])
    func `that is not a rate is refused with an example`(text: String, words: String) {
        do throws(ValueFault) {
            _ = try ByteRate.limit(reading: text)
            Issue.record("taken")
        } catch {
            #expect(error.message.hasPrefix(words), "\(error.message)")
        }
    }

    @Test func `that is not a size or a time is refused with an example`() {
        #expect(throws: ValueFault("'1,5G' has a decimal comma; write 1.5G")) { try ByteCount.size(reading: "1,5G") }
        #expect(throws: ValueFault("a size must be above 0")) { try ByteCount.size(reading: "0") }
        #expect(throws: ValueFault("'big' is not a size; use 500K or 2G (bytes)")) {
            try ByteCount.size(reading: "big")
        }
        #expect(throws: ValueFault("'soon' is not a time; use 30 (seconds), 0.5 or 1m 30s")) {
            try Duration.span(reading: "soon")
        }
        #expect(throws: ValueFault("'0,5' has a decimal comma; write 0.5")) { try Duration.span(reading: "0,5") }
    }

    @Test(arguments: [
        ("d41d8cd98f00b204e9800998ecf8427e", Checksum.Algorithm.md5),
        ("DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", .sha1),
        (String(repeating: "0", count: 64), .sha256), (String(repeating: "f", count: 128), .sha512),
    ])
    func `may be a bare hash, whose length determines the type`(digits: String, algorithm: Checksum.Algorithm) throws {
        let checksum = try Checksum.reading(digits)
        #expect(checksum.algorithm == algorithm)
        #expect(checksum.hex == digits.lowercased())
    }

    @Test(arguments: [
        ("abc", "3 digits fit no known type"),
        ("sha-256=abc", "3 digits fit no known type, or not the one that is named"),
        ("crc32=zz", "'crc32=zz' is not a checksum; use TYPE=HEX"),
    ])
    func `that is not a checksum is refused with the reason`(text: String, words: String) {
        do throws(ValueFault) {
            _ = try Checksum.reading(text)
            Issue.record("taken")
        } catch {
            #expect(error.message.hasPrefix(words), "\(error.message)")
        }
    }
}

@Suite struct `A duration` {
    @Test(arguments: [
        ("0", 0.0), ("30", 30), ("0.5", 0.5), ("3200000000", 3.2e9), ("10s", 10), ("1m 30s", 90), ("1m30s", 90),
        ("3 m 52 s", 232), ("2 h 5 m", 7500), ("1 d", 86_400), ("1.5h", 5400), ("10 min", 600), (" 5 sec ", 5),
    ])
    func `is parsed as seconds`(text: String, seconds: Double) {
        #expect(Duration(parsingSeconds: text)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "-1", "s", "1s 1m", "1m 1m", "1 x", "1m 3", "99999999d", "1e3", "inf", "nan", "3200000001", "soon",
    ])
    func `is refused in any other format`(text: String) {
        #expect(Duration(parsingSeconds: text) == nil)
    }

    @Test func `is limited to what nanoseconds can represent`() {
        #expect(Duration.seconds(Int64.max).nanoseconds == .max / 2)
        #expect(Duration.seconds(-Int64.max).nanoseconds == .min / 2)
        #expect(Duration.milliseconds(-1500).nanoseconds == -1_500_000_000)
    }
}
