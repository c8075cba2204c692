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
        expectEqual(ByteCount(parsing: text)?.bytes, bytes)
    }

    @Test(arguments: [
        "", "K", "-1", "+1", "1e3", "0x10", "nan", "inf", "1.2.3", "KK", "1 iB", "1Ki i", "1 MiB/s", "1 2K", "BB", ".",
        "9999999T", "1\u{301}", "１",
        String(repeating: "9", count: 400),
    ])
    func `is refused in any other form`(text: String) {
        expectNil(ByteCount(parsing: text))
    }

    @Test(
        arguments: [(1, 2, 3), (.max, .max, .max), (.max - 1, 1, .max), (-5, 3, 3), (.min, .min, 0)]
            as [(Int64, Int64, Int64)])
    func `adds up to no more than the largest number`(one: Int64, other: Int64, sum: Int64) {
        expectEqual(one.saturatingAdd(other), sum)
    }

    @Test func `does not overflow when negated`() {
        expectEqual((-ByteCount(.min)).bytes, .min)
        expectEqual((-ByteCount(5)).bytes, -5)
    }

    @Test func `divided by a time is a rate`() {
        expectEqual(ByteCount(1000).rate(over: .seconds(2)), ByteRate(perSecond: 500))
        expectNil(ByteCount(1000).rate(over: .zero))
        expectNil(ByteRate(perSecond: 0).time(for: ByteCount(1)))
        expectEqual(ByteRate(perSecond: 10).time(for: ByteCount(-5)), .zero)
        expectEqual(ByteRate(perSecond: .nan), .zero)
        expectEqual(ByteRate(perSecond: -5), .zero)
    }
}
