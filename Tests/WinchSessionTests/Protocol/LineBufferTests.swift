import TestSupport
import Testing
import WinchModel

@testable import WinchSession

@Suite struct `Lines of a connection` {
    @Test func `are found however the bytes are divided`() {
        var random = SplitMix64(seed: 7)
        let lines = (0..<500).map { _ in String(repeating: "x", count: Int.random(in: 0...40, using: &random)) }
        var bytes = Array(lines.joined(separator: "\n").utf8)[...]
        bytes.append(UInt8(ascii: "\n"))
        var buffer = LineBuffer(most: 100)
        var found: [String] = []
        while !bytes.isEmpty {
            let count = Int.random(in: 1...90, using: &random)
            buffer.append(bytes.prefix(count))
            bytes = bytes.dropFirst(count)
            while let line = buffer.next() { found.append(String(decoding: line, as: UTF8.self)) }
            expect(!buffer.isTooLong)
        }
        expectEqual(found, lines)
        expect(buffer.isEmpty)
    }

    @Test func `may not be longer than allowed`() {
        var buffer = LineBuffer(most: 10)
        buffer.append(Array("12345\n1234567890".utf8))
        let (first, second) = (buffer.next().map { Array($0) }, buffer.next())
        expect(first == Array("12345".utf8) && second == nil)
        expect(!buffer.isTooLong)
        buffer.append([UInt8(ascii: "1")])
        let third = buffer.next()
        expectNil(third)
        expect(buffer.isTooLong)
    }
}
