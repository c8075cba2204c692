/// What bytes of a finished file must hash to.
public struct DigestDemand: Hashable, Sendable {
    public var checksum: Checksum
    /// The bytes meant; `nil`: the whole file.
    public var range: Range<Int64>?
    public var origin: ChecksumOrigin

    public init(_ checksum: Checksum, range: Range<Int64>? = nil, origin: ChecksumOrigin = .option) {
        self.checksum = checksum
        self.range = range
        self.origin = origin
    }

    /// What a person demands, whatever a server says.
    ///
    /// - Parameter listed: from a list of hashes.
    public static func own(_ settings: TransferSettings, listed: Checksum?) -> [DigestDemand] {
        distinct(
            [(settings.checksum, ChecksumOrigin.option), (listed, .list)].compactMap {
                checksum, origin in
                checksum.map { DigestDemand($0, origin: origin) }
            })
    }

    /// Who makes it means nothing: the same bytes must hash to the same.
    public func isSame(as other: DigestDemand) -> Bool { checksum == other.checksum && range == other.range }

    /// Each demand once, as the first who makes it.
    private static func distinct(_ demands: [DigestDemand]) -> [DigestDemand] {
        demands.indices.filter { place in !demands[..<place].contains { $0.isSame(as: demands[place]) } }
            .map { demands[$0] }
    }

    /// What a person and an answer's head demand together: all of it must hold.
    ///
    /// - Parameters:
    ///   - listed: from a list of hashes.
    ///   - offset: where in the file the answer's body begins.
    ///   - end: where it ends; `nil`: only the body's end tells.
    public static func all(
        _ settings: TransferSettings, listed: Checksum?, _ head: ResponseHead, offset: Int64, end: Int64?
    ) -> [DigestDemand] {
        // The hashes of an error speak of its page.
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
    /// What the whole file must hash to, as the server says, whatever part of it this answer holds; and the field that
    /// says so.
    public var reprChecksum: (checksum: Checksum, field: String)? {
        reprDigest.flatMap { DigestField.checksum(structured: $0) }.map { ($0, "Repr-Digest") }
            ?? oldDigest.flatMap { DigestField.checksum(old: $0) }.map { ($0, "Digest") }
    }

    /// What the body of this very answer must hash to.
    public var contentChecksum: Checksum? { contentDigest.flatMap { DigestField.checksum(structured: $0) } }
}
