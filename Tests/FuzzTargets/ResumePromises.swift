import WinchHTTP
import WinchModel

/// Invariants of the response to a request for the rest of a file: bytes are appended only where they belong.
enum ResumePromises {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// Reads the first byte as the state of the bytes on disk, the others as the head of the response.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let choice = bytes.first, let asked = request(choice) else { return nil }
        var head = ResponseHead()
        for line in bytes.dropFirst().split(separator: UInt8(ascii: "\n")) {
            _ = Array(line).withUnsafeBytes { head.read($0) }
        }
        return fault(of: ResponseVerdict(head, asked: asked), to: asked, head)
    }

    /// 5000 bytes on disk, of 9000 or of an unknown size, with a strong ETag, a date, or no validator.
    private static func request(_ choice: UInt8) -> RangeRequest? {
        let validators: [Validator?] = [.strongETag("\"a\""), .lastModified(date), nil, .strongETag("\"a\"")]
        let have: Int64 = choice & 32 == 0 ? 5000 : 9000
        return RangeRequest(
            ResumePoint(
                partPath: "f.part", targetPath: "f", have: ByteCount(bytes: have),
                total: choice & 4 == 0 ? ByteCount(bytes: 9000) : nil, validator: validators[Int(choice & 3)]),
            isElsewhere: choice & 8 != 0, isComparing: choice & 16 != 0)
    }

    private static func fault(of verdict: ResponseVerdict, to asked: RangeRequest, _ head: ResponseHead) -> String? {
        switch verdict {
        case .open(let offset, let overlap, let end, let total, let cause):
            if offset < 0 || offset > asked.offset || overlap < 0 || overlap > offset {
                return "from \(offset) with an overlap of \(overlap), after a request from \(asked.offset)"
            }
            if let end, end < offset { return "ends at \(end), before \(offset)" }
            if let end, let total, end > total { return "ends at \(end) of \(total)" }
            guard offset > 0 else {
                return cause == nil ? "the first byte again, and no cause for it" : nil
            }
            if let total, let known = asked.total, total != known { return "\(total) bytes continue \(known)" }
            return fault(ofPartAt: offset, overlap, asked, head)
        case .reread(let total):
            if head.status == 206 || !(200...299).contains(head.status) { return "compares status \(head.status)" }
            if total < asked.offset { return "compares \(asked.offset) bytes with \(total)" }
            return namesVersion(asked, head) ? nil : "compares with a version that is not named"
        case .alreadyComplete(let total):
            if head.status != 416 || total != asked.offset { return "complete with \(asked.offset) of \(total)" }
            return contradicts(asked, head) ? "complete in another version" : nil
        case .compare: return asked.overlap == 0 ? nil : "asks twice for an overlap"
        case .startOver, .fail: return nil
        }
    }

    /// The body is written behind the bytes on disk: its start, version and total must be those that were requested.
    private static func fault(ofPartAt offset: Int64, _ overlap: Int64, _ asked: RangeRequest, _ head: ResponseHead)
        -> String?
    {
        guard head.status == 206, case .span(let first, _, let total) = head.contentRange else {
            return "status \(head.status) is appended at \(offset)"
        }
        if first != offset - overlap { return "a body from \(first) is appended at \(offset) after \(overlap)" }
        if let total, let known = asked.total, total != known { return "a part of \(total) continues \(known)" }
        if head.hasContentCoding { return "an encoded part is appended" }
        if contradicts(asked, head) { return "another version is appended" }
        // Without bytes to compare, only the ETag proves that the part belongs to the bytes on disk.
        if asked.overlap == 0 { return namesVersion(asked, head) ? nil : "appended without proof of the version" }
        return overlap >= asked.overlap ? nil : "appended after \(overlap) of \(asked.overlap) bytes to compare"
    }

    private static func namesVersion(_ asked: RangeRequest, _ head: ResponseHead) -> Bool {
        switch asked.validator {
        case .strongETag(let tag): head.entityTag == tag
        case .lastModified(let date): head.lastModified == date
        case nil: false
        }
    }

    /// The response names another version than the one on disk.
    private static func contradicts(_ asked: RangeRequest, _ head: ResponseHead) -> Bool {
        if asked.isElsewhere { return false }
        return switch asked.validator {
        case .strongETag(let tag): head.entityTag.map { $0 != tag } ?? false
        case .lastModified(let date): head.lastModified.map { $0 != date } ?? false
        case nil: false
        }
    }
}
