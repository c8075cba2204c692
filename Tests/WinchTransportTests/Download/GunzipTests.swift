import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `A gzip stream` {
    /// `printf 'hello\nhello\n' | gzip -n`.
    private let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 0xCA, 0x00, 0x93, 0x00, 0x77,
        0x0C, 0xC7, 0x2F, 0x0C, 0, 0, 0,
    ]

    @Test func `is unpacked with one or more members and padding`() throws {
        let text = Array("hello\nhello\n".utf8)
        try expectEqual(Gunzip.inflate(hello, limit: 100), text)
        try expectEqual(Gunzip.inflate(hello + hello, limit: 100), text + text)
        try expectEqual(Gunzip.inflate(hello + [0, 0, 0], limit: 100), text)
    }

    @Test func `is refused if it is damaged, cut off or too large`() {
        #expect(throws: Gunzip.Fault.tooLarge(limit: 11)) { try Gunzip.inflate(hello, limit: 11) }
        #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate(Array("plain".utf8), limit: 100) }
        #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate([], limit: 100) }
        for end in 1..<hello.count {
            #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate(Array(hello[..<end]), limit: 100) }
        }
        var wrong = hello
        wrong[20] ^= 0xFF
        #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate(wrong, limit: 100) }
    }
}
