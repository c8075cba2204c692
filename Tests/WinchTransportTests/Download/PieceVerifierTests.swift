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
        pieces.noteRight()
        pieces.noteRight()
        pieces.noteWrong(1)
        expect(!pieces.isDone)
        expectEqual(pieces.take(from: ByteRanges([0..<100, 200..<250])), [])
        expectEqual(pieces.take(from: ByteRanges(0..<250)), [1])
        pieces.noteRight()
        expect(pieces.isDone)
    }
}

@Suite struct `The origins of a file's bytes` {
    private let urls: [TransferURL]

    init() throws { urls = try ["one", "other", "third"].map { try TransferURL("http://\($0)/f") } }

    @Test func `tell the address that sent a wrong piece, if it was one alone`() {
        var origins = ByteOrigins()
        origins.note(0..<120, from: urls[0])
        origins.note(120..<250, from: urls[1])
        expectNil(origins.takeWrong(100..<200))
        expectEqual(origins.takeWrong(0..<100), urls[0])
        expectEqual(origins.takeWrong(200..<250), urls[1])
        // Nothing has come since.
        expectNil(origins.takeWrong(200..<250))
        origins.note(0..<100, from: urls[0])
        origins.note(0..<100, from: urls[1])
        expectEqual(origins.takeWrong(0..<100), urls[1], "the bytes that came last")
    }

    @Test func `tell of several addresses the one that has sent another wrong piece`() {
        var origins = ByteOrigins()
        origins.note(0..<150, from: urls[0])
        origins.note(150..<450, from: urls[1])
        origins.note(450..<600, from: urls[2])
        expectNil(origins.takeWrong(100..<200))
        expectEqual(origins.takeWrong(200..<300), urls[1])
        expectEqual(origins.takeWrong(400..<500), urls[1])
    }
}
