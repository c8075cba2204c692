import TestSupport
import Testing

@testable import WinchBatch
@testable import WinchModel

@Suite struct `A batch that is read in pieces` {
    private static let text = """
        http://a/1
         out=x
         odd=1
        nonsense
        http://a/2
        # between
        http://a/3
         odd=2
        http://a/4\thttp://b/4
         pause=true
        """

    @Test(arguments: [1, 2, 3, 4, 100])
    func `has the entries, lines and problems of the whole`(size: Int) {
        let parser = BatchParser(folder: ".", settings: TransferSettings())
        var reader = BatchReader(Array(Self.text.utf8), parser: parser)
        var pieces: [BatchParser.Batch] = []
        while !reader.isAtEnd { pieces.append(reader.next(atMost: size)) }
        let whole = parser.parse(Array(Self.text.utf8))
        expectEqual(pieces.flatMap(\.specs), whole.specs)
        expectEqual(pieces.flatMap(\.lines), whole.lines)
        expectEqual(reader.problems, whole.problems)
        expect(reader.hasErrors)
        expect(pieces.dropLast(2).allSatisfy { $0.specs.count == size })
    }

    @Test func `gives an entry with its options before the rest is read`() {
        var reader = BatchReader(Array(Self.text.utf8), parser: BatchParser(folder: ".", settings: TransferSettings()))
        expectEqual(reader.next(atMost: 1).specs.first?.name?.text, "x")
        expect(!reader.isAtEnd)
        expectEqual(reader.problems.map(\.line), [3, 4])
    }
}
