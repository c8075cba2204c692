import Hashing
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchTransport

@Suite struct `The pieces of a file` {
    /// Pieces of 100 bytes of a file of 250.
    private func verifier(count: Int = 3, total: Int64 = 250) -> PieceVerifier? {
        PieceHashes(length: ByteCount(100), algorithm: .md5, digests: Array(repeating: 7, count: 16 * count))
            .flatMap { PieceVerifier($0, total: total, body: 1) }
    }

    @Test func `are known only when there is a hash for each`() {
        expect(verifier() != nil)
        expectNil(verifier(count: 2))
        expectNil(verifier(total: 301))
    }

    @Test func `are taken once all their bytes are there, and only once`() throws {
        let pieces = try require(verifier())
        expectEqual(pieces.take(from: ByteRanges(0..<99)), [])
        expectEqual(pieces.take(from: ByteRanges(0..<100)), [0])
        expectEqual(pieces.take(from: ByteRanges([0..<150, 199..<250])), [2])
        expectEqual(pieces.take(from: ByteRanges(0..<250)), [1])
        expectEqual(pieces.take(from: ByteRanges(0..<250)), [])
        expectEqual(pieces.range(of: 2), 200..<250)
    }

    @Test func `are taken again after they were wrong`() throws {
        let pieces = try require(verifier())
        expectEqual(pieces.take(from: ByteRanges(0..<250)), [0, 1, 2])
        pieces.noteRight(0)
        pieces.noteRight(2)
        pieces.noteWrong(1)
        expect(!pieces.isDone)
        expectEqual(pieces.take(from: ByteRanges([0..<100, 200..<250])), [])
        expectEqual(pieces.take(from: ByteRanges(0..<250)), [1])
        pieces.noteRight(1)
        expect(pieces.isDone)
    }
}
