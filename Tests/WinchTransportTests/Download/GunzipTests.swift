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

    @Test func `is unpacked with one or more members and padding`() {
        let text = Array("hello\nhello\n".utf8)
        expectEqual(Gunzip.inflate(hello, limit: 100), text)
        expectEqual(Gunzip.inflate(hello + hello, limit: 100), text + text)
        expectEqual(Gunzip.inflate(hello + [0, 0, 0], limit: 100), text)
    }

    @Test func `is refused if it is damaged, cut off or too large`() {
        expectEqual(Gunzip.inflate(hello, limit: 12)?.count, 12)
        expectNil(Gunzip.inflate(hello, limit: 11))
        expectNil(Gunzip.inflate(Array("plain".utf8), limit: 100))
        for end in hello.indices { expectNil(Gunzip.inflate(Array(hello[..<end]), limit: 100)) }
        var wrong = hello
        wrong[20] ^= 0xFF
        expectNil(Gunzip.inflate(wrong, limit: 100))
    }
}
