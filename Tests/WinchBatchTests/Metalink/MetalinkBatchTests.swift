import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A Metalink in the place of a batch` {
    private static let parser = BatchParser(folder: "d", settings: TransferSettings())

    private static func text(_ count: Int) -> [UInt8] {
        let files = (0..<count).map { "\n<file name=\"\($0)\"><url>http://h/\($0)</url></file>" }.joined()
        return Array("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\(files)</metalink>".utf8)
    }

    @Test func `is handed out in pieces, each entry once`() {
        var reader = BatchReader(Self.text(5), parser: Self.parser)
        expectEqual(reader.next(atMost: 2).specs.map(\.name?.text), ["0", "1"])
        expect(!reader.isAtEnd)
        let rest = reader.next(atMost: 3)
        expectEqual(rest.specs.map(\.name?.text), ["2", "3", "4"])
        expectEqual(rest.lines, [4, 5, 6])
        expect(reader.isAtEnd)
        expect(reader.next(atMost: .max).specs.isEmpty)
    }

    @Test func `is recognised by its content, or read as one because of its name`() {
        expectEqual(Self.parser.parse(Self.text(2)).specs.count, 2)
        let batch = Self.parser.parse(Array("http://h/a\n".utf8), isMetalink: true)
        expect(batch.specs.isEmpty)
        expectEqual(batch.problems.map(\.line), [1])
        expectEqual(Self.parser.parse(Array("http://h/a\n".utf8)).specs.count, 1)
    }

    @Test func `keeps the problems of its files`() {
        let text = "<metalink>\n<file name=\"../a\"><url>http://h/a</url></file></metalink>"
        let batch = Self.parser.parse(Array(text.utf8))
        expect(batch.hasErrors)
        expectEqual(batch.problems.map(\.line), [2])
    }
}
