/// The expected digest of a whole file.
public struct Checksum: Hashable, Sendable, Codable {
    /// The algorithms of aria2's `--checksum` and of Metalink files.
    public enum Algorithm: String, Hashable, Sendable, Codable, CaseIterable {
        /// 128 bits. Detects errors, but not a file that was forged.
        case md5
        /// 160 bits. Detects errors, but not a file that was forged.
        case sha1 = "sha-1"
        /// 256 bits.
        case sha256 = "sha-256"
        /// 512 bits.
        case sha512 = "sha-512"

        /// By its name in any case, with or without the dash; `nil` for one that Winch does not know.
        package init?(named name: some StringProtocol) {
            let plain = name.lowercased().filter { $0 != "-" }
            guard let known = Self.allCases.first(where: { $0.rawValue.filter { $0 != "-" } == plain }) else {
                return nil
            }
            self = known
        }

        /// Length of the digest in bytes.
        public var length: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    public let algorithm: Algorithm
    /// The digest in lower-case hexadecimal.
    public let hex: String

    /// - Parameter hex: as many digits as the algorithm makes, in lower case.
    package init(_ algorithm: Algorithm, hex: String) { (self.algorithm, self.hex) = (algorithm, hex) }

    /// - Parameter text: `sha-256=9f86d0...`; `sha256` without the dash is accepted too, and the digits alone, whose number
    ///   determines the algorithm.
    /// - Returns: `nil` for an unknown algorithm or a digest of the wrong length.
    public init?(_ text: some StringProtocol) {
        let equals = text.firstIndex(of: "=")
        let hex = (equals.map { text[text.index(after: $0)...] } ?? text[...]).lowercased()
        let fitting = Algorithm.allCases.first { $0.length * 2 == hex.utf8.count }
        guard let algorithm = fitting, hex.utf8.allSatisfy(\.isHexDigit),
            equals.map({ Algorithm(named: text[..<$0]) == algorithm }) ?? true
        else { return nil }
        self.init(algorithm, hex: hex)
    }
}

/// An expected digest of a finished file, or of a part of it.
package struct ExpectedChecksum: Hashable, Sendable {
    package var checksum: Checksum
    /// The positions of the bytes that it covers; `nil`: the whole file.
    package var range: Range<Int64>?
    package var origin: ChecksumOrigin

    package init(_ checksum: Checksum, range: Range<Int64>? = nil, origin: ChecksumOrigin = .option) {
        (self.checksum, self.range, self.origin) = (checksum, range, origin)
    }

    /// The digests that the user demands, without those of the server.
    ///
    /// - Parameters:
    ///   - listed: the checksum from a list (`--sums`) or a Metalink.
    ///   - origin: of `listed`.
    package static func own(
        _ settings: TransferSettings, listed: Checksum?, from origin: ChecksumOrigin = .list
    ) -> [ExpectedChecksum] {
        distinct(
            [(settings.checksum, ChecksumOrigin.option), (listed, origin)].compactMap {
                checksum, origin in
                checksum.map { ExpectedChecksum($0, origin: origin) }
            })
    }

    /// Whether both demand the same digest of the same bytes; the origins may differ.
    package func isSame(as other: ExpectedChecksum) -> Bool { checksum == other.checksum && range == other.range }

    /// Without duplicates; of equal demands the first is kept, with its origin.
    package static func distinct(_ demands: [ExpectedChecksum]) -> [ExpectedChecksum] {
        demands.indices.filter { place in !demands[..<place].contains { $0.isSame(as: demands[place]) } }
            .map { demands[$0] }
    }
}

/// Where an expected checksum comes from.
package enum ChecksumOrigin: Hashable, Sendable, Codable {
    /// The user: `--checksum`, or `checksum=` in the batch.
    case option
    /// A checksum list (`--sums`).
    case list
    /// The server, in the response header of this name.
    case header(String)
    /// A Metalink, of the batch or named by the server for the file. It is kept with the transfer, so that other mirrors'
    /// files must have it as well.
    case metalink
    /// An earlier run, whose ledger entry does not tell the origin.
    case earlierRun
}

/// An expected checksum of a file and the result of its verification.
package struct ChecksumFinding: Hashable, Sendable, Codable {
    package enum State: Hashable, Sendable, Codable {
        /// The file is not complete yet.
        case expected
        case checking
        case matched
        /// - Parameter got: the actual digest, in lower-case hexadecimal.
        case mismatched(got: String)
        /// Not verified, because another checksum did not match or the transfer was cancelled.
        case unchecked
    }

    package var checksum: Checksum
    package var origin: ChecksumOrigin
    /// The positions of the bytes that it covers; `nil`: the whole file.
    package var range: Range<Int64>?
    package var state: State

    package init(_ checksum: Checksum, origin: ChecksumOrigin, range: Range<Int64>? = nil, state: State = .expected) {
        (self.checksum, self.origin, self.range, self.state) = (checksum, origin, range, state)
    }
}

/// The digests of the pieces of a file, so that a damaged piece is found and fetched again without the rest.
public struct PieceHashes: Hashable, Sendable {
    /// Bytes in a piece; the last one may be shorter. Above zero.
    public let length: ByteCount
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
        (self.length, self.algorithm, self.digests) = (length, algorithm, digests)
    }

    public var count: Int { digests.count / algorithm.length }

    /// Whether these are all pieces of a file of this size.
    public func cover(_ size: ByteCount) -> Bool { size > .zero && (size.bytes - 1) / length.bytes + 1 == Int64(count) }

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
