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

        fileprivate init(rest: ArraySlice<UInt8>) {
            self.rest = rest
        }

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
