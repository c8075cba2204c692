/// An expected digest of a finished file, or of a part of it.
public struct DigestDemand: Hashable, Sendable {
    public var checksum: Checksum
    /// The positions of the bytes that it covers; `nil`: the whole file.
    public var range: Range<Int64>?
    public var origin: ChecksumOrigin

    public init(_ checksum: Checksum, range: Range<Int64>? = nil, origin: ChecksumOrigin = .option) {
        self.checksum = checksum
        self.range = range
        self.origin = origin
    }

    /// The digests that the user demands, without those of the server.
    ///
    /// - Parameter listed: the checksum from a list (`--sums`).
    public static func own(_ settings: TransferSettings, listed: Checksum?) -> [DigestDemand] {
        distinct(
            [(settings.checksum, ChecksumOrigin.option), (listed, .list)].compactMap {
                checksum, origin in
                checksum.map { DigestDemand($0, origin: origin) }
            })
    }

    /// Whether both demand the same digest of the same bytes; the origins may differ.
    public func isSame(as other: DigestDemand) -> Bool { checksum == other.checksum && range == other.range }

    /// Without duplicates; of equal demands the first is kept, with its origin.
    private static func distinct(_ demands: [DigestDemand]) -> [DigestDemand] {
        demands.indices.filter { place in !demands[..<place].contains { $0.isSame(as: demands[place]) } }
            .map { demands[$0] }
    }

    /// The digests that the user and the head of a response demand. All of them must match.
    ///
    /// - Parameters:
    ///   - listed: the checksum from a list (`--sums`).
    ///   - offset: the position in the file at which the response's body begins.
    ///   - end: the position at which it ends; `nil` when the head does not declare it.
    public static func all(
        _ settings: TransferSettings, listed: Checksum?, _ head: ResponseHead, offset: Int64, end: Int64?
    ) -> [DigestDemand] {
        // The digests of an error response are those of the error page.
        let isOfFile = (200...299).contains(head.status)
        var demands = own(settings, listed: listed)
        guard isOfFile else { return demands }
        if let (checksum, field) = head.reprChecksum { demands.append(DigestDemand(checksum, origin: .header(field))) }
        if let content = head.contentChecksum {
            let origin = ChecksumOrigin.header("Content-Digest")
            if head.status != 206 {
                demands.append(DigestDemand(content, origin: origin))
            } else if let end {
                demands.append(DigestDemand(content, range: offset..<max(offset, end), origin: origin))
            }
        }
        return distinct(demands)
    }
}

extension ResponseHead {
    /// The digest of the whole file according to the server, also when the response contains only a part of the file, and the
    /// name of the field.
    public var reprChecksum: (checksum: Checksum, field: String)? {
        reprDigest.flatMap { DigestField.checksum(structured: $0) }.map { ($0, "Repr-Digest") }
            ?? oldDigest.flatMap { DigestField.checksum(old: $0) }.map { ($0, "Digest") }
    }

    /// The digest of the body of this response.
    public var contentChecksum: Checksum? { contentDigest.flatMap { DigestField.checksum(structured: $0) } }
}
