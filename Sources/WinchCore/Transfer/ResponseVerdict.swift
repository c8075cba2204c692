/// What to do with an answer, decided from its head alone, before a byte of its body is written.
public enum ResponseVerdict: Hashable, Sendable {
    /// The body belongs at `offset`: what is kept beyond it goes.
    /// - Parameters:
    ///   - overlap: the body begins so many bytes earlier, and must be the same there as what is kept; nothing is
    ///     written until it turned out to be.
    ///   - end: nothing is written at or beyond this position; `nil` when only the end of the body tells.
    ///   - total: the whole file's size, if known.
    ///   - startedOver: why `offset` is less than was asked for.
    case open(offset: Int64, overlap: Int64 = 0, end: Int64?, total: Int64?, startedOver: Rebase.Cause?)
    /// All of the very file whose bytes are kept, though a part was asked for. What comes is compared with what is
    /// kept, and only the rest is written.
    case reread(total: Int64)
    /// All of it is on disk.
    case alreadyComplete(total: Int64)
    /// The answer does not say of which version it is: ask once more, from a little earlier.
    case compare
    /// The answer cannot be used with the kept bytes: ask once more, for the whole.
    case startOver(Rebase.Cause)
    case fail(TransferFailure)

    /// - Parameters:
    ///   - head: of the last answer; redirects and logins are behind us.
    ///   - asked: `nil` when the whole was asked for.
    /// - Source: RFC 9110, sections 14 and 15; RFC 9112, section 6.3.
    public init(_ head: ResponseHead, asked: RangeRequest?) {
        if let fault = Self.framingFault(head) {
            self = .fail(.badResponse(fault))
            return
        }
        switch head.status {
        case 204, 205: self = .fail(.badResponse("status \(head.status): no content"))
        case 206: self = Self.partial(head, asked)
        case 200...299: self = Self.whole(head, asked)
        case 416: self = Self.refusedRange(head, asked)
        case 304: self = .fail(.badResponse("status 304 (not modified) to a request without a condition"))
        case 300...399:
            self = .fail(
                .redirectRefused(
                    head.location.map(TransferURL.redacted) ?? "status \(head.status) without a Location"))
        case 400...: self = .fail(.httpStatus(head.status))
        case 0: self = .fail(.badResponse("malformed status line"))
        default: self = .fail(.badResponse("unexpected status \(head.status)"))
        }
    }

    private static func framingFault(_ head: ResponseHead) -> String? {
        guard (200...299).contains(head.status) else { return nil }
        // libcurl would read to the end of the connection, and a file that is cut short would look whole.
        guard !head.hasBlankInFraming else { return "a blank before the colon of Content-Length or Transfer-Encoding" }
        guard !head.hasTransferCoding else { return nil }
        switch head.contentLength {
        case .absent, .bytes: return nil
        case .malformed(let text): return "Content-Length: \(text)"
        case .conflicting: return "Content-Length fields that disagree"
        }
    }

    private static func whole(_ head: ResponseHead, _ asked: RangeRequest?) -> ResponseVerdict {
        let length = head.bodyLength
        guard let asked else { return .open(offset: 0, end: length, total: length, startedOver: nil) }
        guard !asked.isContradicted(by: head, total: length) else {
            return .open(offset: 0, end: length, total: length, startedOver: .fileChanged)
        }
        if let length, length >= asked.offset, length == asked.total ?? length,
            asked.condition?.isNamed(by: head) ?? false
        {
            return .reread(total: length)
        }
        return .open(offset: 0, end: length, total: length, startedOver: .rangeIgnored)
    }

    private static func partial(_ head: ResponseHead, _ asked: RangeRequest?) -> ResponseVerdict {
        guard case .span(let first, let last, let total) = head.contentRange, !head.isMultipart else {
            return asked == nil
                ? .fail(.badResponse("status 206 without a usable Content-Range")) : .startOver(.rangeRefused)
        }
        let length = head.bodyLength
        guard length == nil || length == last - first + 1 else {
            return .fail(.badResponse("Content-Range and Content-Length disagree"))
        }
        guard let asked else {
            return first == 0
                ? .open(offset: 0, end: last + 1, total: total, startedOver: nil)
                : .fail(.badResponse("status 206 to a request for the whole file"))
        }
        // The places would be those of another form of the file.
        guard !head.hasContentCoding else { return .startOver(.rangeRefused) }
        guard !asked.isContradicted(by: head, total: total), asked.isProven(by: head, total: total) else {
            return .startOver(.fileChanged)
        }
        if asked.overlap == 0, !(asked.validator?.isNamed(by: head) ?? false) { return .compare }
        // All that is compared must come, and of what is not compared at least a byte.
        let least = asked.overlap == 0 ? asked.offset : asked.offset - 1
        guard first <= asked.start, least <= last, last + 1 <= total ?? asked.total ?? .max else {
            return .startOver(.rangeRefused)
        }
        if asked.overlap == 0, first < asked.offset {
            return .open(offset: first, end: last + 1, total: total ?? asked.total, startedOver: .rangeStartedEarlier)
        }
        return .open(
            offset: asked.offset, overlap: asked.offset - first, end: last + 1, total: total ?? asked.total,
            startedOver: nil)
    }

    private static func refusedRange(_ head: ResponseHead, _ asked: RangeRequest?) -> ResponseVerdict {
        guard let asked else { return .fail(.httpStatus(416)) }
        guard case .unsatisfied(let total) = head.contentRange else {
            return .startOver(asked.isContradicted(by: head, total: nil) ? .fileChanged : .rangeRefused)
        }
        if asked.isContradicted(by: head, total: total) { return .startOver(.fileChanged) }
        // The length alone proves nothing: the condition must have held.
        return total == asked.offset && asked.condition != nil
            ? .alreadyComplete(total: total) : .startOver(.rangeRefused)
    }
}
