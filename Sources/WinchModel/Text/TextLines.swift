/// The lines of a text file, numbered from 1, without line ends (LF or CRLF) and byte order mark. UTF-16 with a byte order
/// mark is converted to UTF-8.
package struct TextLines: Sequence {
    private let bytes: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) {
        let bytes = TextEncoding.utf8(of: bytes) ?? bytes
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    }

    package func makeIterator() -> Iterator { Iterator(rest: bytes) }

    package struct Iterator: IteratorProtocol, Sendable {
        fileprivate var rest: ArraySlice<UInt8>
        private var number = 0
        private var isAtEnd = false

        fileprivate init(rest: ArraySlice<UInt8>) { self.rest = rest }

        package mutating func next() -> (number: Int, line: ArraySlice<UInt8>)? {
            guard !isAtEnd else { return nil }
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end]
            isAtEnd = end == rest.endIndex
            rest = isAtEnd ? [] : rest[(end + 1)...]
            releaseRead()
            return (number, line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }

        /// Frees the lines that have been read once they are a megabyte and as many as the rest: a list is read while the
        /// queue grows, and its text should be gone when the queue is full. A slice keeps its whole array.
        private mutating func releaseRead() {
            if rest.startIndex > Self.largestRead, rest.startIndex > rest.count { rest = Array(rest)[...] }
        }

        private static var largestRead: Int { 1 << 20 }
    }
}

/// Recognises and converts UTF-16, which Notepad and PowerShell write.
package enum TextEncoding {
    /// The text in UTF-8 when `bytes` are UTF-16 with a byte order mark, else `nil`.
    ///
    /// The mark alone is not enough: every second byte must be zero in at least half of the first letters, as in any list of
    /// URLs.
    static func utf8(of bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 4, let isLittle = isLittleEndian(bytes), zeros(bytes, at: isLittle ? 1 : 0) else {
            return nil
        }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (low, high) = isLittle ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            return UInt16(high) << 8 | UInt16(low)
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// True when every second one of the first 8 bytes is zero and there is no byte order mark.
    package static func isUnmarkedUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 8 else { return false }
        let start = bytes.prefix(8)
        return [0, 1].contains { offset in
            start.enumerated().allSatisfy { ($0.offset % 2 == offset) == ($0.element == 0) }
        }
    }

    /// The byte order by the mark; `nil` without a mark.
    private static func isLittleEndian(_ bytes: [UInt8]) -> Bool? {
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE): true
        case (0xFE, 0xFF): false
        default: nil
        }
    }

    /// True when at least half of the first 32 letters have a zero high byte, which is at `offset` in each pair.
    private static func zeros(_ bytes: [UInt8], at offset: Int) -> Bool {
        let letters = stride(from: 2 + offset, to: min(bytes.count, 66), by: 2)
        let count = letters.reduce(into: 0) { count, _ in count += 1 }
        return letters.count(where: { bytes[$0] == 0 }) * 2 >= count
    }
}
