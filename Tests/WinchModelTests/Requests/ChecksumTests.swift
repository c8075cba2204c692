import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A checksum that a user types` {
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
        do throws(InvalidValue) {
            _ = try Checksum.reading(text)
            Issue.record("taken")
        } catch {
            #expect(error.message.hasPrefix(words), "\(error.message)")
        }
    }
}
