/// An expected digest of a finished file, or of a part of it.
package struct ExpectedDigest: Hashable, Sendable {
    package var checksum: Checksum
    /// The positions of the bytes that it covers; `nil`: the whole file.
    package var range: Range<Int64>?
    package var origin: ChecksumOrigin

    package init(_ checksum: Checksum, range: Range<Int64>? = nil, origin: ChecksumOrigin = .option) {
        self.checksum = checksum
        self.range = range
        self.origin = origin
    }

    /// The digests that the user demands, without those of the server.
    ///
    /// - Parameters:
    ///   - listed: the checksum from a list (`--sums`) or a Metalink.
    ///   - origin: of `listed`.
    package static func own(
        _ settings: TransferSettings, listed: Checksum?, from origin: ChecksumOrigin = .list
    ) -> [ExpectedDigest] {
        distinct(
            [(settings.checksum, ChecksumOrigin.option), (listed, origin)].compactMap {
                checksum, origin in
                checksum.map { ExpectedDigest($0, origin: origin) }
            })
    }

    /// Whether both demand the same digest of the same bytes; the origins may differ.
    package func isSame(as other: ExpectedDigest) -> Bool { checksum == other.checksum && range == other.range }

    /// Without duplicates; of equal demands the first is kept, with its origin.
    package static func distinct(_ demands: [ExpectedDigest]) -> [ExpectedDigest] {
        demands.indices.filter { place in !demands[..<place].contains { $0.isSame(as: demands[place]) } }
            .map { demands[$0] }
    }
}
