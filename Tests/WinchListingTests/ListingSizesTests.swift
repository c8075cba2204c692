import TestSupport
import Testing
import WinchModel

@testable import WinchListing

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
