import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A text in Base64` {
    @Test(
        arguments: [
            ("", []), ("AA==", [0]), ("AA", [0]), ("AAE=", [0, 1]), ("AAE", [0, 1]), ("AAEC", [0, 1, 2]),
            ("+/+/", [0xFB, 0xFF, 0xBF]), ("A", nil), ("A===", nil), ("AA=", nil), ("=AA=", nil), ("AA=A", nil),
            ("AAAA====", nil), ("AA A", nil), ("-_-_", nil),
        ] as [(String, [UInt8]?)])
    func `is decoded with or without padding`(text: String, bytes: [UInt8]?) {
        expectEqual(Base64.decoded(text.utf8), bytes)
    }
}

@Suite struct `Hexadecimal digits` {
    @Test(
        arguments: [
            ("", []), ("00ff", [0, 255]), ("aAFf", [0xAA, 0xFF]), ("0", nil), ("0g", nil), ("00 ff", nil),
            ("é0", nil),
        ] as [(String, [UInt8]?)])
    func `are read in pairs`(text: String, bytes: [UInt8]?) {
        expectEqual(Hex.decoded(text), bytes)
    }

    @Test func `are written in pairs of lower case`() {
        expectEqual(Hex.encoded([0, 9, 0xAB, 0xFF]), "0009abff")
    }
}
