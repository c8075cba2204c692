import WinchModel

/// A list of piece hashes while it is read.
struct PieceHashesDraft {
    private let length: ByteCount
    private let algorithm: Checksum.Algorithm
    private var digests: [UInt8] = []
    private var count = 0
    /// The piece in hand is not the next one.
    private var isOutOfOrder = false

    /// - Returns: `nil` for an unknown hash function or a length that is no number above 0.
    init?(type: String, length: String) {
        guard let algorithm = Checksum.Algorithm(metalink: type), let bytes = Int64(length), bytes > 0 else {
            return nil
        }
        (self.algorithm, self.length) = (algorithm, ByteCount(bytes: bytes))
    }

    /// - Returns: the number of pieces with this one.
    mutating func begin(index: String?) -> Int {
        isOutOfOrder = index.map { Int($0) != count } ?? false
        count += 1
        return count
    }

    /// - Returns: what is wrong with it; `nil`: nothing.
    mutating func take(_ text: String) -> String? {
        guard !isOutOfOrder else { return "they are not in order" }
        guard let digest = Hex.decoded(text), digest.count == algorithm.length else {
            return "no \(algorithm.rawValue) hash: \(text.prefix(40))"
        }
        digests += digest
        return nil
    }

    /// `nil` without a piece.
    var hashes: PieceHashes? { PieceHashes(length: length, algorithm: algorithm, digests: digests) }
}
