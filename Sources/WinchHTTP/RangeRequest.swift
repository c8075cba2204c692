package import WinchModel

/// The request for the rest of a file of which the first bytes are on disk, from the first gap on.
///
/// Only a strong ETag proves that the bytes at the server are unchanged. With anything else (a date, the size, an ETag from
/// another URL) the last bytes on disk are requested again, and must be equal, before anything is appended to them.
package struct RangeRequest: Hashable, Sendable {
    /// Bytes on disk before the first gap; more than 0.
    package var offset: Int64
    /// How many of the last bytes on disk are requested again; 0...offset.
    package var overlap: Int64
    /// The size of the whole file in an earlier response; `nil`: not known.
    package var total: Int64?
    /// From an earlier response; `nil`: it had none.
    package var validator: Validator?
    /// From an earlier response (`ResponseHead.weakTag`): another ETag at the same URL shows that the file has changed.
    package var weakTag: String?
    /// The bytes on disk are from another URL, whose validators may have no meaning at this one.
    package var isElsewhere: Bool
    /// The attempt before was answered with a status of failure, or its connection was lost before it brought a byte: an error
    /// of the server that has not passed by now may be one of its handling of ranges.
    package var followsRefusal = false
    /// The server has refused the same request in this attempt.
    package var isRepeated = false

    /// 4 KiB, in bytes: one block of a file system, and a negligible cost on a network. A change of the file before these
    /// bytes is not detected.
    package static let longestOverlap: Int64 = 4096

    /// - Parameters:
    ///   - isElsewhere: the bytes on disk are from another URL.
    ///   - isComparing: requests an overlap even with a strong ETag, because the server's response did not repeat the ETag,
    ///     or another program may have written to the part.
    /// - Returns: `nil` when no bytes are on disk, or when no response could prove that the rest belongs to them.
    package init?(_ resume: ResumePoint, isElsewhere: Bool = false, isComparing: Bool = false) {
        let prefix = resume.onDisk.prefixEnd
        guard prefix > 0, resume.validator != nil || resume.total != nil,
            resume.total.map({ $0.bytes >= resume.onDisk.end }) ?? true
        else { return nil }
        offset = prefix
        total = resume.total?.bytes
        validator = resume.validator
        weakTag = resume.weakTag
        self.isElsewhere = isElsewhere
        let isSure = resume.validator?.isStrongETag ?? false && !isElsewhere && !isComparing
        overlap = isSure ? 0 : min(offset, Self.longestOverlap)
    }

    /// The position at which the response's body is to begin.
    package var start: Int64 { offset - overlap }

    /// For libcurl's option CURLOPT_RANGE, which adds the unit.
    package var rangeText: String { "\(start)-" }

    /// The validator for an If-Range header; `nil`: no header, because the bytes are from another URL or there is none.
    package var condition: Validator? { isElsewhere ? nil : validator }

    /// Whether the head of a response proves that it is the file whose bytes are on disk, apart from the overlap.
    ///
    /// - Parameter total: the size of the whole file according to the response.
    package func isProven(by head: ResponseHead, total: Int64?) -> Bool {
        if let total, total == self.total { return true }
        guard let validator else { return false }
        return isElsewhere ? validator.isStrongETag && validator.isNamed(by: head) : true
    }

    /// Whether the response is about another version of the file than the one whose bytes are on disk.
    package func isContradicted(by head: ResponseHead, total: Int64?) -> Bool {
        if let stored = self.total, let total, stored != total { return true }
        return !isElsewhere && (!(validator?.agrees(with: head) ?? true) || head.contradicts(weakTag: weakTag))
    }
}

extension Validator {
    package var isStrongETag: Bool {
        if case .strongETag = self { true } else { false }
    }

    /// Whether the text is a strong ETag: in quotes, without `W/` and control characters.
    static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.last == UInt8(ascii: "\"")
            && tag.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// False when the response names another version; true when it names this one or none.
    func agrees(with head: ResponseHead) -> Bool {
        switch self {
        case .strongETag(let tag): head.entityTag.map { $0 == tag } ?? true
        case .lastModified(let date): head.lastModified.map { $0 == date } ?? true
        }
    }

    /// Whether the response has this ETag or this date.
    package func isNamed(by head: ResponseHead) -> Bool {
        switch self {
        case .strongETag(let tag): head.entityTag == tag
        case .lastModified(let date): head.lastModified == date
        }
    }
}

/// The value of a Content-Range field: the part of the file in a response.
///
/// - Source: RFC 9110, section 14.4.
package enum ContentRange: Hashable, Sendable {
    /// `bytes 500-999/1234`; the total may be `*`.
    case span(first: Int64, last: Int64, total: Int64?)
    /// `bytes */1234`, in a 416.
    case unsatisfied(total: Int64)

    /// - Returns: `nil` for another unit than bytes, and for positions that contradict each other.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard parts.count >= 2, parts[0].lowercased() == "bytes" else { return nil }
        let range = parts.dropFirst().joined()
        guard let slash = range.firstIndex(of: "/") else { return nil }
        let span = range[..<slash]
        let whole = range[range.index(after: slash)...]
        let total = Int64(digits: whole)
        guard total != nil || whole == "*" else { return nil }
        if span == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        guard let dash = span.firstIndex(of: "-"), let first = Int64(digits: span[..<dash]),
            let last = Int64(digits: span[span.index(after: dash)...]), first <= last, last < .max,
            total.map({ last < $0 }) ?? true
        else { return nil }
        self = .span(first: first, last: last, total: total)
    }
}
