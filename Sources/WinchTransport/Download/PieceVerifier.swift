import Hashing
import WinchModel

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

    /// All pieces were found right.
    var isDone: Bool { right == hashes.count }

    func range(of index: Int) -> Range<Int64> { hashes.range(at: index).clamped(to: 0..<total) }

    func expected(_ index: Int) -> ExpectedDigest {
        ExpectedDigest(Checksum(hashes.algorithm, hex: hashes.digest(at: index).hex), origin: .list)
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

    /// The piece has the right hash.
    func noteRight(_ index: Int) { right += 1 }

    /// The piece is fetched once more.
    func noteWrong(_ index: Int) {
        taken.remove(contentsOf: range(of: index))
    }
}
