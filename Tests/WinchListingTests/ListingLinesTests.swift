import TestSupport
import Testing

@testable import WinchListing

@Suite struct `The lines of a listing` {
    /// The lines of a text that arrives in parts of so many bytes.
    private func lines(of text: String, inParts size: Int) throws -> [String] {
        var lines = ListingLines()
        var found: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { try lines.append($0) }
            while let line = try lines.next() { found.append(String(decoding: line, as: UTF8.self)) }
        }
        if let line = try lines.last() { found.append(String(decoding: line, as: UTF8.self)) }
        return found
    }

    @Test(arguments: [1, 2, 3, 100]) func `are the same wherever the bytes are cut`(size: Int) throws {
        #expect(try lines(of: "a\r\n\nbc\nd\r", inParts: size) == ["a", "", "bc", "d"])
    }

    @Test func `are refused when they do not end`() throws {
        var lines = ListingLines()
        try lines.length.add(ListingLimits.bytes - 1)
        func append() throws { try [UInt8(ascii: "\n")].withUnsafeBytes { try lines.append($0) } }
        try append()
        #expect(throws: ListingFault.self) { try append() }
    }

    @Test func `are refused when one is too long`() {
        #expect(throws: ListingFault.self) {
            try lines(of: String(repeating: "x", count: ListingLimits.line + 1), inParts: 1000)
        }
    }
}
