import Testing

@testable import WinchCore

@Suite struct `A number of bytes` {
    @Test(arguments: [
        ("0", 0), ("500", 500), ("1k", 1024), ("1K", 1024), ("1.5M", 1_572_864), ("2G", 2_147_483_648),
        ("1T", 1_099_511_627_776), ("0.5K", 512), ("007", 7), (".5K", 512),
    ])
    func `is read with its unit`(text: String, bytes: Int64) {
        #expect(ByteCount(parsing: text)?.bytes == bytes)
    }

    @Test(arguments: [
        "", "K", "-1", "+1", "1e3", "0x10", "nan", "inf", "1.2.3", "1 K", "1KB", "KK", ".", "9999999T", "1\u{301}", "１",
        String(repeating: "9", count: 400),
    ])
    func `is nothing else`(text: String) {
        #expect(ByteCount(parsing: text) == nil)
    }

    @Test func `does not overflow when taken from nothing`() {
        #expect((-ByteCount(.min)).bytes == .min)
        #expect((-ByteCount(5)).bytes == -5)
    }

    @Test func `over a time is a rate`() {
        #expect(ByteCount(1000).rate(over: .seconds(2)) == ByteRate(perSecond: 500))
        #expect(ByteCount(1000).rate(over: .zero) == nil)
        #expect(ByteRate(perSecond: 0).time(for: ByteCount(1)) == nil)
        #expect(ByteRate(perSecond: 10).time(for: ByteCount(-5)) == .zero)
        #expect(ByteRate(perSecond: .nan) == .zero)
        #expect(ByteRate(perSecond: -5) == .zero)
    }
}

@Suite struct `A span of time` {
    @Test(arguments: [("0", 0.0), ("30", 30), ("0.5", 0.5), ("3200000000", 3.2e9)])
    func `is read in seconds`(text: String, seconds: Double) {
        #expect(Duration(parsingSeconds: text)?.seconds == seconds)
    }

    @Test(arguments: ["", "-1", "1m", "1e3", "inf", "nan", "3200000001", "soon"])
    func `is nothing else`(text: String) {
        #expect(Duration(parsingSeconds: text) == nil)
    }

    @Test func `is held inside what nanoseconds can count`() {
        #expect(Duration.seconds(Int64.max).nanoseconds == .max / 2)
        #expect(Duration.seconds(-Int64.max).nanoseconds == .min / 2)
        #expect(Duration.milliseconds(-1500).nanoseconds == -1_500_000_000)
    }
}
