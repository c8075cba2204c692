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
    /// The server ignored or refused the range and sends the whole file, of the version whose bytes are on disk. Compare the body with
    /// these bytes, and write only the rest.
    case reread(total: Int64)
    /// The whole file is on disk.
    case alreadyComplete(total: Int64)
    /// The server, which says that it has ranges, sends the whole of the version that is kept, after it refused the rest: that may
    /// have passed. Send the request for the rest once more.
    case askAgain
    /// The response does not name its version: send another request that begins with an overlap.
    case compare
    /// The response does not fit the bytes on disk: send another request for the whole file.
    case startOver(Rebase.Cause)
    case fail(TransferFailure)

    /// - Parameters:
    ///   - head: of the last response, after redirects and login challenges.
    ///   - asked: the request for a part; `nil` when the whole file was requested.
    ///   - refused: the part that was requested before the whole, which is wanted because the server refused that.
    /// - Source: RFC 9110, sections 14 and 15; RFC 9112, section 6.3.
    package init(_ head: ResponseHead, asked: RangeRequest?, refused: RangeRequest? = nil) {
        if let fault = head.framingFault {
            self = asked == nil ? .fail(.badResponse(fault)) : .startOver(.rangeRefused)
            return
        }
        switch head.status {
        case 416: self = Self.refusedRange(head, asked)
        case 200... where Self.mayRefuse(asked, head.status): self = .startOver(.rangeRefused)
        case 204, 205: self = .fail(.badResponse("status \(head.status): no content"))
        case _ where head.isPart: self = Self.partial(head, asked)
        case 200...299 where HTTPStatus.meaning(head.status, of: .download) == .done:
            let whole = Self.whole(head, asked ?? refused, asked == nil ? .rangeRefused : .rangeIgnored)
            if Self.mayBePart(head, asked) {
                self = .startOver(.rangeRefused)
            } else if case .reread = whole, asked == nil, refused?.isRepeated == false, head.acceptsRanges {
                self = .askAgain
            } else {
                self = whole
            }
        // The body is about the file, such as a notice that it is being prepared.
        case 200...299: self = .fail(.httpStatus(head.status))
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

    /// Servers and proxies that cannot cope with Range or If-Range say so by any status, and give the whole file. A login is
    /// wanted for the whole file as well, and what is said to pass is worth a wait: the bytes on disk are kept.
    private static func mayRefuse(_ asked: RangeRequest?, _ status: Int) -> Bool {
        guard let asked else { return false }
        return switch HTTPStatus.meaning(status, of: .download) {
        case .done, .interim, .later: false
        case .laterUnlessSentOnce: asked.followsRefusal
        case .elsewhere, .laterIfAsked, .never: status != 401 && status != 407
        }
    }

    /// Some servers send a part as if it were the whole, and do not name its position. It is the whole if its length is the
    /// known size of the file, or if it is of another version and its length is not that of the rest.
    private static func mayBePart(_ head: ResponseHead, _ asked: RangeRequest?) -> Bool {
        guard let asked, asked.start > 0 else { return false }
        guard let length = head.bodyLength, length != asked.total.map({ $0 - asked.start }) else { return true }
        return length != asked.total && !asked.isContradicted(by: head, total: nil)
    }

    private static func whole(
        _ head: ResponseHead, _ asked: RangeRequest?, _ cause: Rebase.Cause
    ) -> ResponseVerdict {
        let length = head.bodyLength
        guard let asked else { return .open(offset: 0, end: length, total: length, startedOver: nil) }
        guard !asked.isContradicted(by: head, total: length) else {
            // A notice in place of the file, such as of a used quota, names no version where the file had one.
            if let length, asked.condition != nil, head.entityTag == nil, head.lastModified == nil {
                return .fail(.badResponse("\(length) bytes without a version in place of the file's rest"))
            }
            return .open(offset: 0, end: length, total: length, startedOver: .fileChanged)
        }
        if let length, length >= asked.offset, length == asked.total ?? length,
            asked.condition?.isNamed(by: head) ?? false
        {
            return .reread(total: length)
        }
        return .open(offset: 0, end: length, total: length, startedOver: cause)
    }

    private static func partial(_ head: ResponseHead, _ asked: RangeRequest?) -> ResponseVerdict {
        guard case .span(let first, let last, let total) = head.contentRange, !head.isMultipart else {
            return asked == nil
                ? .fail(.badResponse("status 206 without a usable Content-Range")) : .startOver(.rangeRefused)
        }
        let length = head.bodyLength
        guard length == nil || length == last - first + 1 else {
            // A server that counts its ranges wrongly may still send the whole.
            return asked == nil
                ? .fail(.badResponse("Content-Range and Content-Length disagree")) : .startOver(.rangeRefused)
        }
        guard let asked else {
            // Without the size the end of the part says nothing of the end of the file.
            return first == 0 && total != nil
                ? .open(offset: 0, end: last + 1, total: total, startedOver: nil)
                : .fail(.badResponse("status \(head.status) with a part to a request for the whole file"))
        }
        // The positions of the range would be positions in the encoded form of the file.
        guard !head.hasContentCoding else { return .startOver(.rangeRefused) }
        guard !asked.isContradicted(by: head, total: total), asked.isProven(by: head, total: total) else {
            return .startOver(.fileChanged)
        }
        guard let whole = total ?? asked.total else { return .startOver(.rangeRefused) }
        if asked.overlap == 0, !(asked.validator?.isNamed(by: head) ?? false) { return .compare }
        // The range must contain the whole overlap; without an overlap it must contain at least one new byte.
        let least = asked.overlap == 0 ? asked.offset : asked.offset - 1
        guard first <= asked.start, least <= last, last + 1 <= whole else {
            return .startOver(.rangeRefused)
        }
        if asked.overlap == 0, first < asked.offset {
            return .open(offset: first, end: last + 1, total: whole, startedOver: .rangeStartedEarlier)
        }
        return .open(
            offset: asked.offset, overlap: asked.offset - first, end: last + 1, total: whole, startedOver: nil)
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

/// Whether a response is the part of a file that was requested, of the version whose bytes are on disk.
package enum SegmentVerdict {
    /// - Parameters:
    ///   - head: of a response with status 206.
    ///   - range: as requested.
    ///   - total: the size of the file, as the first response declared it.
    ///   - version: as the first response named it; `nil`: it named none, or it was another server's.
    ///   - weakTag: as `RangeRequest.weakTag`; `nil`: it named none, or it was another server's.
    /// - Returns: why no byte of the body may be used, for the user; `nil`: it is the part.
    /// - Source: RFC 9110, sections 14.4 and 15.3.7.
    package static func refusal(
        _ head: ResponseHead, range: Range<Int64>, total: Int64?, version: Validator?, weakTag: String?
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
        guard version?.isNamed(by: head) ?? true, !head.contradicts(weakTag: weakTag) else {
            return "a part of another version of the file"
        }
        return nil
    }
}

/// Decides by the media type whether a response can be the requested file.
///
/// A site whose login session has expired may answer a request for `disk.iso` with a login page and status 200.
package enum ExpectedType {
    /// Extensions of files that are never HTML pages, in lower case.
    private static let binary: Set<String> = [
        "7z", "aac", "apk", "appimage", "avi", "bin", "bz2", "cab", "crate", "deb", "dmg", "doc", "docx", "epub", "exe",
        "flac", "gem", "gif", "gpg", "gz", "heic", "img", "iso", "jar", "jpeg", "jpg", "lz4", "m4a", "m4v", "mkv",
        "mov",
        "mp3", "mp4", "mpg", "msi", "odt", "ogg", "ogv", "opus", "parquet", "pdf", "pkg", "png", "ppt", "pptx", "qcow2",
        "rar", "rpm", "safetensors", "sqlite", "tar", "tbz", "tgz", "tiff", "torrent", "ttf", "txz", "vdi", "vmdk",
        "wasm", "wav", "webm", "webp", "whl", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
    ]

    /// The extension of the name with its dot, such as `.zip`, if files with it are never HTML pages; else `nil`.
    package static func binaryExtension(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ext = name[name.utf8.index(after: dot)...].lowercased()
        return binary.contains(ext) ? "." + ext : nil
    }

    /// Whether bytes may be the beginning of an HTML page: `<` after blanks and a byte order mark. True for no bytes.
    package static func mayBePage(_ bytes: some Collection<UInt8>) -> Bool {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return body.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "<") } ?? true
    }
}

extension ResponseHead {
    /// The coding of a body that is saved encoded; `nil`: the body is not encoded, or the file is meant to have this format by
    /// its name or its media type, as `a.tar.gz` with gzip. At most 40 characters.
    package func unexpectedCoding(of name: String) -> String? {
        guard let contentCoding, !contentCoding.isEmpty else { return nil }
        let format = contentCoding.hasPrefix("x-") ? String(contentCoding.dropFirst(2)) : contentCoding
        if let mediaType, ["application/\(format)", "application/x-\(format)"].contains(mediaType) { return nil }
        let name = name.lowercased()
        if Self.extensions[format, default: []].contains(where: { name.hasSuffix($0) }) { return nil }
        return String(contentCoding.prefix(40))
    }

    /// Of the files that have the format of a content coding.
    private static let extensions = [
        "gzip": [".gz", ".tgz", ".svgz"], "compress": [".z", ".taz"], "br": [".br"], "zstd": [".zst", ".tzst"],
    ]

    /// The media type is that of an HTML page, and there is no Content-Disposition that asks to save the body as a file.
    package var isPage: Bool {
        (200...299).contains(status) && disposition == nil
            && (mediaType == "text/html" || mediaType == "application/xhtml+xml")
    }
}
