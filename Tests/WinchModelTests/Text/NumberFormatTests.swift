import TestSupport
import Testing

@testable import WinchModel

@Suite struct `Formatted numbers` {
    @Test(arguments: [
        (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (102_399, "99.9 KiB"),
        (102_400, "100 KiB"), (1_048_575, "1023 KiB"), (1_048_576, "1.0 MiB"), (12_897_484, "12.2 MiB"),
        (1_503_238_553, "1.3 GiB"), (1 << 40, "1.0 TiB"), (Int64.max, "7.9 EiB"), (-600, "-600 B"),
        (Int64.min, "-8.0 EiB"),
    ])
    func `show bytes in a fitting unit, rounded down`(bytes: Int64, text: String) {
        expectEqual(NumberFormat.bytes(ByteCount(bytes: bytes)), text)
    }

    @Test func `take at most 8 characters for bytes near every power of two`() {
        for shift in 0..<63 {
            for offset in [-1, 0, 1] {
                let text = NumberFormat.bytes(ByteCount(bytes: max(0, (Int64(1) << shift) + Int64(offset))))
                expectAtMost(text.count, 8, "\(text)")
            }
        }
    }

    @Test(arguments: [(0.0, "0 B/s"), (0.4, "0 B/s"), (12.3 * 1_048_576, "12.3 MiB/s"), (1e300, "4.0 EiB/s")])
    func `show rates per second`(perSecond: Double, text: String) {
        expectEqual(NumberFormat.rate(ByteRate(perSecond: perSecond)), text)
    }

    @Test(
        arguments: [
            (0, 3_006_477_107, "0/2.7 GiB"), (1_395_864_371, 3_006_477_107, "1.2/2.7 GiB"),
            (3_145_728, 3_006_477_107, "3.0 MiB/2.7 GiB"), (500, 500, "500/500 B"), (0, 0, "0/0 B"), (5, 0, "5/0 B"),
        ] as [(Int64, Int64, String)])
    func `show completed and total bytes, a common unit once`(have: Int64, size: Int64, text: String) {
        expectEqual(NumberFormat.progress(ByteCount(bytes: have), of: ByteCount(bytes: size)), text)
    }

    @Test func `show a question mark for an unknown size`() {
        expectEqual(NumberFormat.progress(ByteCount(bytes: 2048), of: nil), "2.0 KiB/?")
    }
}

@Suite struct `Formatted durations` {
    @Test(arguments: [
        (-5.0, "0 s"), (0, "0 s"), (0.9, "0 s"), (59, "59 s"), (60, "1 m 0 s"), (192, "3 m 12 s"), (3599, "59 m 59 s"),
        (3600, "1 h 0 m"), (7500, "2 h 5 m"), (86_399, "23 h 59 m"), (273_600, "3 d 4 h"),
    ])
    func `show durations in at most two units`(seconds: Double, text: String) {
        expectEqual(DurationFormat.text(.seconds(seconds)), text)
    }

    @Test(arguments: [(-5.0, "0.0 s"), (0.25, "0.2 s"), (1.5625, "1.5 s"), (9.99, "9.9 s"), (192, "3 m 12 s")])
    func `show tenths of seconds below ten seconds on demand`(seconds: Double, text: String) {
        expectEqual(DurationFormat.withTenths(.seconds(seconds)), text)
    }
}

@Suite struct `Formatted times that are left` {
    @Test(arguments: [(-1.5, "0 s"), (0.0, "0 s"), (0.1, "1 s"), (4.0, "4 s"), (3.2, "4 s"), (59.5, "1 m 0 s")])
    func `show 0 in a countdown only when the time is over`(seconds: Double, text: String) {
        expectEqual(TimeLeftFormat.countdown(.seconds(seconds)), text)
    }

    @Test(arguments: [
        (-3.0, "about 0 s"), (0.2, "about 1 s"), (59.5, "about 60 s"), (61, "about 2 m"), (412, "about 7 m"),
        (3600, "about 60 m"), (3601, "about 2 h"), (200_000, "about 3 d"),
    ])
    func `show estimated times in one unit`(seconds: Double, text: String) {
        expectEqual(TimeLeftFormat.about(.seconds(seconds)), text)
    }
}
