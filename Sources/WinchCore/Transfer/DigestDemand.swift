/// What bytes of a finished file must hash to.
public struct DigestDemand: Hashable, Sendable {
    public var checksum: Checksum
    /// The bytes meant; `nil`: the whole file.
    public var range: Range<Int64>?

    public init(_ checksum: Checksum, range: Range<Int64>? = nil) {
        self.checksum = checksum
        self.range = range
    }

    /// What a person and an answer's head demand together: all of it must hold.
    ///
    /// - Parameters:
    ///   - offset: where in the file the answer's body begins.
    ///   - end: where it ends; `nil`: only the body's end tells.
    public static func all(
        _ settings: TransferSettings, _ head: ResponseHead, offset: Int64, end: Int64?
    ) -> [DigestDemand] {
        // The hashes of an error speak of its page.
        let isOfFile = (200...299).contains(head.status)
        let whole = [settings.checksum, settings.listedChecksum, isOfFile ? head.reprChecksum : nil]
        var demands = whole.compactMap { checksum in checksum.map { DigestDemand($0) } }
        if isOfFile, let content = head.contentChecksum {
            if head.status != 206 {
                demands.append(DigestDemand(content))
            } else if let end {
                demands.append(DigestDemand(content, range: offset..<max(offset, end)))
            }
        }
        var seen: Set<DigestDemand> = []
        return demands.filter { seen.insert($0).inserted }
    }
}

extension ResponseHead {
    /// What the whole file must hash to, as the server says, whatever part of it this answer holds.
    public var reprChecksum: Checksum? {
        reprDigest.flatMap { DigestField.checksum(structured: $0) }
            ?? oldDigest.flatMap { DigestField.checksum(old: $0) }
    }

    /// What the body of this very answer must hash to.
    public var contentChecksum: Checksum? { contentDigest.flatMap { DigestField.checksum(structured: $0) } }
}
