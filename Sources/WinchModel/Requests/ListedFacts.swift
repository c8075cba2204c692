/// What a checksum list or a Metalink says of one file. Not part of the settings, because all entries of a batch share one copy
/// of those.
struct ListedFacts: Hashable, Sendable, Codable {
    var checksum: Checksum?
    /// Where the checksum comes from; `nil`: a checksum list.
    var origin: ChecksumOrigin?
    var pieces: PieceHashes?
    var size: ByteCount?

    var isEmpty: Bool { checksum == nil && pieces == nil && size == nil }
}
