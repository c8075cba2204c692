/// What to do with an answer, decided from its head alone, before a byte of its body is written.
public enum ResponseVerdict: Hashable, Sendable {
    /// The body belongs at `offset`: what is kept beyond it goes.
    /// - Parameters:
    ///   - end: nothing is written at or beyond this position; `nil` when only the end of the body tells.
    ///   - total: the whole file's size, if known.
    ///   - startedOver: why `offset` is less than was asked for.
    case open(offset: Int64, end: Int64?, total: Int64?, startedOver: Rebase.Cause?)
    /// All of it is on disk.
    case alreadyComplete(total: Int64)
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
        case 204, 205: self = .fail(.badResponse("\(head.status): the server has no file there"))
        case 206: self = Self.partial(head, asked)
        case 200...299: self = Self.whole(head, asked)
        case 416: self = Self.refusedRange(head, asked)
        case 304: self = .fail(.badResponse("304: the server says unchanged, though nobody asked"))
        case 300...399:
            self = .fail(
                .redirectRefused(
                    head.location.map(TransferURL.redacted) ?? "\(head.status) without an address"))
        case 400...: self = .fail(.httpStatus(head.status))
        default: self = .fail(.badResponse("status \(head.status)"))
        }
    }

    private static func framingFault(_ head: ResponseHead) -> String? {
        guard (200...299).contains(head.status), !head.hasTransferCoding else { return nil }
        switch head.contentLength {
        case .absent, .bytes: return nil
        case .malformed(let text): return "Content-Length: \(text)"
        case .conflicting: return "several Content-Lengths that disagree"
        }
    }

    private static func whole(_ head: ResponseHead, _ asked: RangeRequest?) -> ResponseVerdict {
        let length = head.bodyLength
        guard let asked else { return .open(offset: 0, end: length, total: length, startedOver: nil) }
        let isSame =
            (asked.validator?.agrees(with: head) ?? true)
            && (asked.total == nil || length == nil || asked.total == length)
        return .open(offset: 0, end: length, total: length, startedOver: isSame ? .rangeIgnored : .fileChanged)
    }

    private static func partial(_ head: ResponseHead, _ asked: RangeRequest?) -> ResponseVerdict {
        guard case .span(let first, let last, let total) = head.contentRange, !head.isMultipart else {
            return asked == nil ? .fail(.badResponse("a part without its place")) : .startOver(.rangeRefused)
        }
        let length = head.bodyLength
        guard length == nil || length == last - first + 1 else {
            return .fail(.badResponse("Content-Range and Content-Length disagree"))
        }
        guard let asked else {
            return first == 0
                ? .open(offset: 0, end: last + 1, total: total, startedOver: nil)
                : .fail(.badResponse("a part nobody asked for"))
        }
        guard asked.validator?.agrees(with: head) ?? true else { return .startOver(.fileChanged) }
        if let stored = asked.total, let total, stored != total { return .startOver(.fileChanged) }
        // Without a validator the size is the only witness.
        guard asked.validator != nil || (total != nil && total == asked.total) else { return .startOver(.fileChanged) }
        guard first <= asked.offset, asked.offset <= last, last + 1 <= total ?? asked.total ?? .max else {
            return .startOver(.rangeRefused)
        }
        return .open(
            offset: first, end: last + 1, total: total ?? asked.total,
            startedOver: first < asked.offset ? .rangeStartedEarlier : nil)
    }

    private static func refusedRange(_ head: ResponseHead, _ asked: RangeRequest?) -> ResponseVerdict {
        guard let asked else { return .fail(.httpStatus(416)) }
        guard asked.validator?.agrees(with: head) ?? true else { return .startOver(.fileChanged) }
        guard case .unsatisfied(let total) = head.contentRange else { return .startOver(.rangeRefused) }
        if let stored = asked.total, stored != total { return .startOver(.fileChanged) }
        return total == asked.offset ? .alreadyComplete(total: total) : .startOver(.rangeRefused)
    }
}
