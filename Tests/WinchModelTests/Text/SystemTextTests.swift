import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A text of the system` {
    @Test(arguments: [
        [], [0x61], Array("naïve–日🎉".utf8), [0x4D, 0xFC, 0x72], [0xC4, 0xE3], [0xFF, 0xFE], [0xC3], [0xC3, 0x28],
        [0xE6, 0x97],
        [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80], Array("\u{10FEE9}".utf8), Array("\u{10FE7F}".utf8),
    ])
    func `becomes the same bytes again`(bytes: [UInt8]) {
        expectEqual(String(system: bytes).systemBytes, bytes)
        expectEqual(String(system: bytes).cBytes, bytes.map { CChar(bitPattern: $0) } + [0])
    }

    @Test func `is the text itself where that is UTF-8`() {
        expectEqual(String(system: Array("naïve".utf8)), "naïve")
        expectEqual("naïve".cBytes.withUnsafeBufferPointer { $0.baseAddress.map { String(systemC: $0) } }, "naïve")
    }

    @Test func `differs for different bytes`() {
        var random = SystemRandomNumberGenerator()
        let pieces: [[UInt8]] = [[0x61], [0xE9], [0xC3], [0xA9], [0xF4], [0x8F], [0xBB], Array("\u{10FEE9}".utf8)]
        var known: [String: [UInt8]] = [:]
        for _ in 0..<5000 {
            let bytes = (0..<6).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            let text = String(system: bytes)
            expectEqual(known[text, default: bytes], bytes)
            known[text] = bytes
        }
    }

    @Test func `goes into URLs as codes of its bytes`() throws {
        let name = String(system: [0x6C, 0xE9] + Array("é.txt".utf8))
        try expectEqual(TransferURL("http://h/\(name)").text, "http://h/l%E9%C3%A9.txt")
        try expectEqual(TransferURL("http://h/f/").file(named: name)?.text, "http://h/f/l%E9%C3%A9.txt")
        expectEqual(PercentCoding.decodedSystemText("l%E9%C3%A9.txt"), name)
        expectEqual(TargetName(sanitizing: name)?.text, "lé.txt")
    }
}
