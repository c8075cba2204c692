/// What was asked for when a transfer goes on from kept bytes.
///
/// Only a strong ETag names a file's bytes. Whatever else there is to go by (a date, the size, an ETag of another
/// address), the last of the kept bytes are asked for again and must be the same before anything is added to them.
public struct RangeRequest: Hashable, Sendable {
    /// Bytes that are on disk; more than 0.
    public var offset: Int64
    /// So many of them, the last, are asked for again; 0...offset.
    public var overlap: Int64
    /// The whole, as an earlier answer named it.
    public var total: Int64?
    public var validator: Validator?
    /// The kept bytes came from another address, whose validators may mean nothing at this one.
    public var isElsewhere: Bool

    /// 4 KiB: one block of a file system, and next to nothing on a network. A file that differs only before them
    /// cannot be told from the one that was kept.
    public static let longestOverlap: Int64 = 4096

    /// - Parameters:
    ///   - isElsewhere: the kept bytes came from another address.
    ///   - isComparing: asks for an overlap in any case: the server does not name the validator that it gave.
    /// - Returns: `nil` when nothing is kept, or when nothing could prove that the rest belongs to it.
    public init?(_ resume: ResumePoint, isElsewhere: Bool = false, isComparing: Bool = false) {
        guard resume.have.bytes > 0, resume.validator != nil || resume.total != nil,
            resume.total.map({ $0 >= resume.have }) ?? true
        else { return nil }
        offset = resume.have.bytes
        total = resume.total?.bytes
        validator = resume.validator
        self.isElsewhere = isElsewhere
        let isSure = resume.validator?.isStrongETag ?? false && !isElsewhere && !isComparing
        overlap = isSure ? 0 : min(offset, Self.longestOverlap)
    }

    /// Where the body is to begin.
    public var start: Int64 { offset - overlap }

    /// For libcurl's range option; the unit is its own business.
    public var rangeText: String { "\(start)-" }

    /// For `If-Range`.
    public var condition: Validator? { isElsewhere ? nil : validator }

    /// Whether an answer is about the file whose bytes are kept, as far as its head tells.
    ///
    /// - Parameter total: as the answer names it.
    func isProven(by head: ResponseHead, total: Int64?) -> Bool {
        if let total, total == self.total { return true }
        guard let validator else { return false }
        return isElsewhere ? validator.isStrongETag && validator.isNamed(by: head) : true
    }

    /// The answer names another version of the file than the one that was asked about.
    func isContradicted(by head: ResponseHead, total: Int64?) -> Bool {
        if let stored = self.total, let total, stored != total { return true }
        return !isElsewhere && !(validator?.agrees(with: head) ?? true)
    }
}

extension Validator {
    public var isStrongETag: Bool {
        if case .strongETag = self { true } else { false }
    }

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

    /// The answer says in so many words that it is of this version.
    public func isNamed(by head: ResponseHead) -> Bool {
        switch self {
        case .strongETag(let tag): head.entityTag == tag
        case .lastModified(let date): head.lastModified == date
        }
    }
}
