package import WinchModel

/// Whether a response is the part of a file that was requested, of the version whose bytes are on disk.
package enum SegmentVerdict {
    /// - Parameters:
    ///   - head: of a response with status 206.
    ///   - range: as requested.
    ///   - total: the size of the file, as the first response declared it.
    ///   - version: as the first response named it; `nil`: it named none, or it was another server's.
    /// - Returns: why no byte of the body may be used, for the user; `nil`: it is the part.
    /// - Source: RFC 9110, sections 14.4 and 15.3.7.
    package static func refusal(
        _ head: ResponseHead, range: Range<Int64>, total: Int64?, version: Validator?
    ) -> String? {
        if head.isMultipart { return "several parts instead of one" }
        if head.hasContentCoding { return "an encoded part" }
        guard case .span(let first, let last, let answered) = head.contentRange else {
            return "a part without its position"
        }
        guard first == range.lowerBound, last == range.upperBound - 1 else {
            return "another part than the requested one"
        }
        if let answered, answered != total { return "a part of a file of another size" }
        if let length = head.bodyLength, length != Int64(range.count) { return "a part of another length" }
        // A part that answers If-Range repeats the version; one that does not may be of any.
        if let version, !version.isNamed(by: head) { return "a part of another version of the file" }
        return nil
    }
}
