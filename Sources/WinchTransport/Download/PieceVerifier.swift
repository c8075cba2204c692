import Hashing
import WinchModel
import WinchProgress

/// Says which pieces of a file can be checked by their hashes. Used on the loop's thread only.
final class PieceVerifier {
    /// The number of the body in its attempt: what was found out of the bytes of an earlier body says nothing of this one.
    let body: Int
    private let hashes: PieceHashes
    private let total: Int64
    /// Pieces that are being checked or were found right, by their bytes.
    private var taken = ByteRanges()
    private var right = 0

    /// - Parameter total: the size of the file in bytes.
    /// - Returns: `nil` when the hashes are not those of all pieces of such a file.
    init?(_ hashes: PieceHashes, total: Int64, body: Int) {
        guard hashes.cover(ByteCount(bytes: total)) else { return nil }
        self.body = body
        self.hashes = hashes
        self.total = total
    }

    var isDone: Bool { right == hashes.count }

    func range(of index: Int) -> Range<Int64> { hashes.range(at: index).clamped(to: 0..<total) }

    func expected(_ index: Int) -> ExpectedChecksum {
        ExpectedChecksum(Checksum(hashes.algorithm, hex: hashes.digest(at: index).hex), origin: .list)
    }

    /// All pieces, each with its place in the file.
    var demands: [ExpectedChecksum] {
        (0..<hashes.count).map { index in
            ExpectedChecksum(expected(index).checksum, range: range(of: index), origin: .metalink)
        }
    }

    /// Takes the pieces whose bytes are all there and that were not taken before.
    ///
    /// - Parameter held: the bytes on disk.
    func take(from held: ByteRanges) -> [Int] {
        var new = held
        new.subtract(taken)
        var found: [Int] = []
        for range in new.ranges {
            var index = Int((range.lowerBound + hashes.length.bytes - 1) / hashes.length.bytes)
            while index < hashes.count, self.range(of: index).upperBound <= range.upperBound {
                found.append(index)
                taken.insert(contentsOf: self.range(of: index))
                index += 1
            }
        }
        return found
    }

    func noteRight() { right += 1 }

    /// The piece is fetched once more.
    func noteWrong(_ index: Int) {
        taken.remove(contentsOf: range(of: index))
    }
}

/// The bytes of a file that each address has brought in this attempt.
struct ByteOrigins {
    private var brought: [(source: TransferURL, bytes: ByteRanges)] = []
    private var wrong: Set<TransferURL> = []

    /// An address has brought bytes of the file, which take the place of those that another has brought before.
    mutating func note(_ bytes: Range<Int64>, from source: TransferURL) {
        forget(bytes)
        if let index = brought.firstIndex(where: { $0.source == source }) {
            brought[index].bytes.insert(contentsOf: bytes)
        } else {
            brought.append((source, ByteRanges(bytes)))
        }
    }

    /// These bytes are wrong, and are fetched once more.
    ///
    /// - Returns: the address that has sent them; of several the one that is known to have sent other wrong bytes. `nil`: it
    ///   is not known which of several, or some are from an earlier attempt.
    mutating func takeWrong(_ bytes: Range<Int64>) -> TransferURL? {
        let range = ByteRanges(bytes)
        let senders = brought.filter { !$0.bytes.intersection(range).isEmpty }
        let known = senders.filter { wrong.contains($0.source) }
        let source = (senders.first { range.isSubset(of: $0.bytes) } ?? (known.count == 1 ? known[0] : nil))?.source
        forget(bytes)
        if let source { wrong.insert(source) }
        return source
    }

    private mutating func forget(_ bytes: Range<Int64>) {
        for index in brought.indices { brought[index].bytes.remove(contentsOf: bytes) }
    }
}

/// The pieces of a file whose hashes are known are checked as soon as their bytes are on disk.
extension Download {
    /// A body begins, whose size is known or not.
    func beginPieces() {
        waitingEnd = nil
        bodies += 1
        origins = ByteOrigins()
        pieces = (request.pieces ?? describedPieces).flatMap(verifier)
    }

    /// - Returns: `nil` when the hashes are not those of all pieces of the file.
    func verifier(_ hashes: PieceHashes) -> PieceVerifier? {
        version.total.flatMap { PieceVerifier(hashes, total: $0, body: bodies) }
    }

    func checkPieces() {
        guard let pieces, let part = body.part else { return }
        for index in pieces.take(from: part.held) {
            files.checker.check(
                PieceCheck(
                    id: request.transfer, body: pieces.body, client: inbox, file: part.file, path: part.path,
                    index: index,
                    range: pieces.range(of: index), expected: pieces.expected(index)))
        }
    }

    /// A piece was checked.
    ///
    /// - Parameter failure: `nil`: it has the right hash.
    /// - Returns: the address that sent the wrong bytes, and the failure; `nil`: the piece is right, or the check is of an earlier
    ///   body.
    func took(_ piece: PieceCheck, _ failure: TransferFailure?) -> (source: TransferURL?, failure: TransferFailure)? {
        guard let pieces, let part = body.part, part.file === piece.file, pieces.body == piece.body else { return nil }
        guard let failure else {
            pieces.noteRight()
            return nil
        }
        let source = origins.takeWrong(piece.range)
        pieces.noteWrong(piece.index)
        part.forget(piece.range)
        chunks?.forget(ByteRanges(piece.range))
        hasher.runAgain(hasher.lastDemands, on: part, total: version.total)
        return (source, failure)
    }

    /// The connection waits with others for the pieces, or beside others that bring bytes, and is told to close.
    ///
    /// - Returns: false when it does not wait, or is the last of the file.
    func leaveWaitingEnd(_ id: ConnectionID) -> Bool {
        guard var end = waitingEnd, end.connections.contains(where: { $0.id == id }),
            !connections.isEmpty || end.connections.count > 1
        else { return false }
        end.connections.removeAll { $0.id == id }
        waitingEnd = end.connections.isEmpty ? nil : end
        return true
    }

    /// Of a body in memory the finisher checks the pieces.
    var hasPiecesToCheck: Bool { body.part != nil && pieces?.isDone == false }

    /// The end that waited for the pieces and the Metalink, if all pieces are right or one was wrong.
    func takeWaitingEnd() -> WaitingEnd? {
        guard lacksBytes || !isAwaitingDescription, lacksBytes || !hasPiecesToCheck else { return nil }
        return waitingEnd.take()
    }
}
