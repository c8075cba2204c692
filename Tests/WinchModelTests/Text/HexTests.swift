import Testing

@testable import WinchModel

@Suite struct `Hexadecimal digits` {
    @Test(
        arguments: [
            ("", []), ("00ff", [0, 255]), ("aAFf", [0xAA, 0xFF]), ("0", nil), ("0g", nil), ("00 ff", nil),
            ("é0", nil),
        ] as [(String, [UInt8]?)])
    func `are read in pairs`(text: String, bytes: [UInt8]?) {
        #expect(Hex.decoded(text) == bytes)
    }

    @Test func `are written in pairs of lower case`() {
        #expect(Hex.encoded([0, 9, 0xAB, 0xFF]) == "0009abff")
    }
}
