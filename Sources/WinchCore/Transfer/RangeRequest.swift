/// What was asked for when a transfer goes on from kept bytes.
public struct RangeRequest: Hashable, Sendable {
    /// Bytes that are on disk; more than 0.
    public var offset: Int64
    /// The whole, as an earlier answer named it.
    public var total: Int64?
    public var validator: Validator?

    /// - Returns: `nil` when nothing is kept, or when nothing could prove that the rest belongs to it.
    public init?(_ resume: ResumePoint) {
        guard resume.have.bytes > 0, resume.validator != nil || resume.total != nil,
            resume.total.map({ $0 >= resume.have }) ?? true
        else { return nil }
        offset = resume.have.bytes
        total = resume.total?.bytes
        validator = resume.validator
    }

    /// For libcurl's range option; the unit is its own business.
    public var rangeText: String { "\(offset)-" }
}

extension Validator {
    /// A strong tag in its quotes, without control characters.
    static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.last == UInt8(ascii: "\"")
            && tag.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// False when the answer names another version; true when it names this one, or none.
    func agrees(with head: ResponseHead) -> Bool {
        switch self {
        case .strongETag(let tag): head.entityTag.map { $0 == tag } ?? true
        case .lastModified(let date): head.lastModified.map { $0 == date } ?? true
        }
    }
}
