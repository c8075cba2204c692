/// The digests of the pieces of a file, so that a damaged piece is found and fetched again without the rest.
public struct PieceHashes: Hashable, Sendable {
    /// Bytes in a piece; the last one may be shorter. Above zero.
    public let length: ByteCount
    /// The hash function of all pieces.
    public let algorithm: Checksum.Algorithm
    /// The digests one after the other, `algorithm.length` bytes each, at least one: an array for each of a hundred thousand
    /// pieces would take several times as much memory.
    public let digests: [UInt8]

    /// The longest piece, 1 TiB in bytes, so that positions stay far below the largest integer.
    private static let longest = 1 << 40

    /// - Returns: `nil` when the length is not in 1 byte to 1 TiB, or the bytes are no whole number of digests.
    public init?(length: ByteCount, algorithm: Checksum.Algorithm, digests: [UInt8]) {
        guard (1...Int64(Self.longest)).contains(length.bytes), !digests.isEmpty, digests.count < 1 << 30,
            digests.count.isMultiple(of: algorithm.length)
        else { return nil }
        self.length = length
        self.algorithm = algorithm
        self.digests = digests
    }

    /// The number of pieces.
    public var count: Int { digests.count / algorithm.length }

    /// Whether these are all pieces of a file of this size.
    public func cover(_ size: ByteCount) -> Bool {
        size > .zero && (size.bytes - 1) / length.bytes + 1 == Int64(count)
    }

    /// The digest of a piece.
    ///
    /// - Parameter index: in `0..<count`.
    public func digest(at index: Int) -> ArraySlice<UInt8> {
        digests[index * algorithm.length..<(index + 1) * algorithm.length]
    }

    /// The positions of a piece in the file; the end of the last piece may be beyond the end of the file.
    ///
    /// - Parameter index: in `0..<count`.
    public func range(at index: Int) -> Range<Int64> {
        let start = Int64(index) * length.bytes
        return start..<start + length.bytes
    }
}

/// Decoding checks the values as `init` does.
extension PieceHashes: Codable {
    private enum CodingKeys: String, CodingKey { case length, algorithm, digests }

    /// Decodes the digests from Base64.
    ///
    /// - Throws: when the values contradict each other.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let hashes = PieceHashes(
            length: try container.decode(ByteCount.self, forKey: .length),
            algorithm: try container.decode(Checksum.Algorithm.self, forKey: .algorithm),
            digests: Base64.decoded(try container.decode(String.self, forKey: .digests).utf8) ?? [])
        guard let hashes else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no whole number of digests"))
        }
        self = hashes
    }

    /// Encodes the digests in Base64, which takes a third of the room of an array of numbers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(length, forKey: .length)
        try container.encode(algorithm, forKey: .algorithm)
        try container.encode(Base64.encoded(digests), forKey: .digests)
    }
}
