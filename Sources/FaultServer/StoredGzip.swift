/// A gzip file (RFC 1952) that stores and does not compress: enough for a client that must decode, without a zlib here.
package enum StoredGzip {
    package static func encoded(_ content: [UInt8]) -> [UInt8] {
        // Magic, deflate, no flags, no time, no hints, unknown system.
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        result.reserveCapacity(content.count + content.count / blockLength * 5 + 32)
        var start = 0
        repeat {
            let block = content[start..<min(start + blockLength, content.count)]
            start = block.endIndex
            let length = UInt16(block.count)
            result.append(start == content.count ? 1 : 0)
            result.append(littleEndian: length)
            result.append(littleEndian: ~length)
            result.append(contentsOf: block)
        } while start < content.count
        result.append(littleEndian: checksum(content))
        result.append(littleEndian: UInt32(truncatingIfNeeded: content.count))
        return result
    }

    /// The most a stored deflate block can hold (RFC 1951, section 3.2.4).
    private static let blockLength = 65_535

    /// CRC-32 with the reversed polynomial of RFC 1952, section 8.
    static func checksum(_ content: [UInt8]) -> UInt32 {
        let table = (0..<256).map { (byte: UInt32) -> UInt32 in
            (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~content.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
