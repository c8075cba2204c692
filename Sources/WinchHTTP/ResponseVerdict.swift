package import WinchModel

/// What to do with a response. Decided from its head alone, before any byte of its body is written.
package enum ResponseVerdict: Hashable, Sendable {
    /// Write the body from `offset` on; bytes on disk beyond `offset` are discarded.
    /// - Parameters:
    ///   - overlap: the body begins so many bytes before `offset`. They are compared with the bytes on disk, and nothing is
    ///     written until they have been found equal.
    ///   - end: nothing is written at or beyond this position; `nil` when the length of the body is not known.
    ///   - total: the size of the whole file; `nil` when it is not known.
    ///   - startedOver: why `offset` is less than the requested position; `nil` when it is not.
    case open(offset: Int64, overlap: Int64 = 0, end: Int64?, total: Int64?, startedOver: Rebase.Cause?)
    /// The server ignored the range and sends the whole file, of the version whose bytes are on disk. Compare the body with
    /// these bytes, and write only the rest.
    case reread(total: Int64)
    /// The whole file is on disk.
    case alreadyComplete(total: Int64)
    /// The response does not name its version: send another request that begins with an overlap.
    case compare
    /// The response does not fit the bytes on disk: send another request for the whole file.
    case startOver(Rebase.Cause)
    case fail(TransferFailure)

    /// - Parameters:
    ///   - head: of the last response, after redirects and login challenges.
    ///   - asked: the request for a part; `nil` when the whole file was requested.
    /// - Source: RFC 9110, sections 14 and 15; RFC 9112, section 6.3.
    package init(_ head: ResponseHead, asked: RangeRequest?) {
        if let fault = head.framingFault {
            self = .fail(.badResponse(fault))
            return
        }
        switch head.status {
        case 204, 205: self = .fail(.badResponse("status \(head.status): no content"))
        case 206: self = Self.partial(head, asked)
        case 200...299 where HTTPStatus.meaning(head.status, of: .download) == .done: self = Self.whole(head, asked)
        // The body is about the file, such as a notice that it is being prepared.
        case 200...299: self = .fail(.httpStatus(head.status))
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
        // The positions of the range would be positions in the encoded form of the file.
        guard !head.hasContentCoding else { return .startOver(.rangeRefused) }
        guard !asked.isContradicted(by: head, total: total), asked.isProven(by: head, total: total) else {
            return .startOver(.fileChanged)
        }
        if asked.overlap == 0, !(asked.validator?.isNamed(by: head) ?? false) { return .compare }
        // The range must contain the whole overlap; without an overlap it must contain at least one new byte.
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
        // An equal length proves nothing by itself: the request must have had a condition.
        return total == asked.offset && asked.condition != nil
            ? .alreadyComplete(total: total) : .startOver(.rangeRefused)
    }
}
