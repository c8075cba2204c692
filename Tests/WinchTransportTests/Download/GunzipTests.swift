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

    /// The text, when the stream comes in pieces of `size` bytes; `nil`: it is refused, or not whole.
    private func inflate(_ bytes: [UInt8], limit: Int, size: Int = 100) -> [UInt8]? {
        let gunzip = Gunzip()
        var text = InputText(largest: limit)
        for start in stride(from: 0, to: bytes.count, by: size) {
            guard gunzip.unpack(bytes[start..<min(start + size, bytes.count)], into: &text) == nil else { return nil }
        }
        return gunzip.isAtEnd ? text.bytes : nil
    }

    @Test(arguments: [1, 3, 100])
    func `is unpacked with one or more members and padding`(size: Int) {
        let text = Array("hello\nhello\n".utf8)
        expectEqual(inflate(hello, limit: 100, size: size), text)
        expectEqual(inflate(hello + hello, limit: 100, size: size), text + text)
        expectEqual(inflate(hello + [0, 0, 0], limit: 100, size: size), text)
        expectNil(inflate(hello + [0, 0] + hello, limit: 100, size: size))
    }

    @Test func `is refused if it is damaged, cut off or too large`() {
        expectEqual(inflate(hello, limit: 12)?.count, 12)
        expectNil(inflate(hello, limit: 11))
        expectNil(inflate(Array("plain".utf8), limit: 100))
        for end in hello.indices { expectNil(inflate(Array(hello[..<end]), limit: 100)) }
        var wrong = hello
        wrong[20] ^= 0xFF
        expectNil(inflate(wrong, limit: 100))
    }

    /// 200,000 line ends in 229 bytes: the inflater has more of them than fit into its room at once.
    @Test(arguments: [1, 1000])
    func `is unpacked although its last bytes unpack to much`(size: Int) {
        let start: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xED, 0xC1, 0x21, 1, 0, 0, 0, 0xC3, 0x20, 0xBF, 0xFE, 0x81, 0x9F,
            0xE1, 0x1E, 0x28,
        ]
        let end: [UInt8] = [0xE0, 0x35, 0x75, 0xD5, 0x66, 0x70, 0x40, 0x0D, 3, 0]
        let zeros = [UInt8](repeating: 0, count: 193)
        let text = [UInt8](repeating: UInt8(ascii: "\n"), count: 200_000)
        expectEqual(inflate(start + zeros + end, limit: 1 << 20, size: size), text)
        expectNil(inflate(start + zeros + end, limit: 100_000, size: size))
    }
}
