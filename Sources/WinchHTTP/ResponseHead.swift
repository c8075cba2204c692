package import WinchModel

/// The fields of a response's head that Winch uses; all others are skipped.
///
/// Pass the lines to `read` as they arrive. A status line resets the value, so that at the end it describes the last
/// response after redirects, interim responses (1xx) and login challenges.
package struct ResponseHead: Sendable, Equatable {
    /// 0 before the first status line.
    package private(set) var status = 0
    /// HTTP/1.x, in which a connection carries one body at a time.
    package private(set) var isVersion1 = false
    /// HTTP/1.0.
    package private(set) var isVersion10 = false
    /// Accept-Ranges names bytes.
    package private(set) var acceptsRanges = false
    package private(set) var contentLength = ContentLength.absent
    /// There is a Transfer-Encoding, which determines the end of the body; a Content-Length is then ignored.
    package private(set) var hasTransferCoding = false
    /// Content-Length or Transfer-Encoding has a blank before its colon, so libcurl does not recognise the field.
    package private(set) var hasBlankInFraming = false
    package private(set) var contentRange: ContentRange?
    /// The body has several ranges (`multipart/byteranges`). Winch never requests that.
    package private(set) var isMultipart = false
    /// The ETag as sent, weak or strong.
    package private(set) var entityTag: String?
    package private(set) var lastModified: String?
    /// The Date header: when the response was made, by the server's clock.
    package private(set) var date: String?
    /// How the body is encoded, in lower case: `gzip`; `nil`: it is the bytes of the file.
    package private(set) var contentCoding: String?
    /// The Content-Disposition as sent, in bytes because its charset is not known; see `ContentDisposition`.
    package private(set) var disposition: [UInt8]?
    package private(set) var retryAfter: String?
    package private(set) var location: String?
    /// The fields for the details of a transfer (`HeaderField.recorded`), in the order of the response.
    package private(set) var recorded: [HeaderField] = []
    /// The ways to log in that a 401 offers, as sent: `Basic`. At most `mostLoginSchemes`.
    package private(set) var loginSchemes: [String] = []
    /// The media type in lower case, without parameters: `text/html`.
    package private(set) var mediaType: String?
    /// The fields with digests: Repr-Digest, Content-Digest and Digest. Several fields of one name are joined by commas.
    package private(set) var reprDigest: String?
    package private(set) var contentDigest: String?
    package private(set) var oldDigest: String?
    /// The links of all Link fields, at most `LinkField.most`.
    package private(set) var links: [WebLink] = []
    /// Bytes of an upload that a tus server has. Also sent with the status 104.
    package private(set) var uploadOffset: Int64?

    package init() {}

    /// The kind of a line: the status line, a header field, or the empty line at the end.
    package enum Line: Sendable, Equatable {
        case status, field, end
    }

    /// Reads one line, with or without its CRLF. Malformed lines are ignored.
    package mutating func read(_ line: UnsafeRawBufferPointer) -> Line {
        let line = UnsafeRawBufferPointer(rebasing: line.trimmed)
        guard let first = line.first else { return .end }
        if first | 0x20 == UInt8(ascii: "h"), let code = Self.statusCode(line) {
            self = ResponseHead()
            status = code
            isVersion1 = line[5] == UInt8(ascii: "1")
            isVersion10 = isVersion1 && line[7] == UInt8(ascii: "0")
            return .status
        }
        guard let (written, value) = Self.parts(of: line) else { return .field }
        // A blank before the colon is removed, as RFC 9112, section 5.1 requires of proxies.
        let bare = written.trimmed
        let name = Self.lowercased(bare)
        if bare.count < written.count, name == "content-length" || name == "transfer-encoding" {
            hasBlankInFraming = true
        }
        take(name, value)
        // Bounded, because a server may repeat a field any number of times.
        if HeaderField.recorded.contains(name), recorded.count < 2 * HeaderField.recorded.count {
            let value = UnsafeRawBufferPointer(rebasing: value.prefix(HeaderField.longest))
            recorded.append(HeaderField(name: name, value: Self.text(value)))
        }
        return .field
    }

    /// What is before the first colon of a line, and what is behind it without the blanks around it; `nil`: there is no colon.
    private static func parts(
        of line: UnsafeRawBufferPointer
    ) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let value = UnsafeRawBufferPointer(rebasing: line[line.index(after: colon)...].trimmed)
        return (UnsafeRawBufferPointer(rebasing: line[..<colon]), value)
    }

    private mutating func take(_ name: String, _ value: UnsafeRawBufferPointer) {
        switch name {
        case "etag": entityTag = Self.text(value)
        case "date": date = Self.text(value)
        case "last-modified": lastModified = Self.text(value)
        case "retry-after": retryAfter = Self.text(value)
        // libcurl follows the first one that is not empty.
        case "location": if location?.isEmpty ?? true { location = Self.text(value) }
        case "link": links += LinkField.links(Self.text(value)).prefix(LinkField.most - links.count)
        case "content-length": contentLength.add(value)
        case "transfer-encoding": hasTransferCoding = true
        case "content-range": contentRange = ContentRange(Self.text(value))
        case "accept-ranges": acceptsRanges = Self.text(value).lowercased() == "bytes"
        case "content-encoding":
            let coding = Self.text(value).lowercased()
            contentCoding = coding == "identity" ? nil : coding
        case "content-disposition": disposition = Array(value)
        case "content-type":
            mediaType = Self.mediaType(value)
            isMultipart = mediaType == "multipart/byteranges"
        case "www-authenticate":
            loginSchemes += Self.schemes(Self.text(value)).prefix(Self.mostLoginSchemes - loginSchemes.count)
        case "upload-offset": uploadOffset = Int64(digits: Self.text(value))
        default: takeDigest(name, value)
        }
    }

    /// The fields with digests, which may also arrive in a trailer after the body.
    private mutating func takeDigest(_ name: String, _ value: UnsafeRawBufferPointer) {
        func join(_ text: inout String?) { text = (text.map { $0 + ", " } ?? "") + Self.text(value) }
        switch name {
        case "repr-digest": join(&reprDigest)
        case "content-digest": join(&contentDigest)
        case "digest": join(&oldDigest)
        default: break
        }
    }

    /// Reads a line of the trailer after the body. Only digests are used, which the server computed while it sent the body.
    ///
    /// - Source: RFC 9530, section 2; RFC 9110, section 6.5.
    package mutating func read(trailer line: UnsafeRawBufferPointer) {
        guard let (name, value) = Self.parts(of: UnsafeRawBufferPointer(rebasing: line.trimmed)) else { return }
        takeDigest(Self.lowercased(name), value)
    }

    private static let mostLoginSchemes = 16

    /// The schemes of a list of challenges; their parameters are between the same commas.
    ///
    /// - Source: RFC 9110, section 11.6.1.
    private static func schemes(_ challenges: String) -> [String] {
        var (isQuoted, isEscaped) = (false, false)
        let parts = challenges.split { character in
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            return character == "," && !isQuoted
        }
        return parts.compactMap { part -> String? in
            let part = part.drop { $0 == " " }
            let name = part.prefix { $0 != " " && $0 != "=" }
            let isParameter = part.dropFirst(name.count).first { $0 != " " } == "="
            guard !isParameter, !name.isEmpty,
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
            else { return nil }
            return String(name.prefix(longestLoginScheme))
        }
    }

    /// Longer than any in IANA's registry.
    private static let longestLoginScheme = 20

    package var offersDigest: Bool { loginSchemes.contains { $0.lowercased() == "digest" } }

    /// The ways to log in that are offered, when Winch speaks none of them: `NTLM, Negotiate`.
    package var foreignLogins: String? {
        guard !loginSchemes.contains(where: { ["basic", "digest"].contains($0.lowercased()) }) else { return nil }
        return loginSchemes.isEmpty ? nil : loginSchemes.joined(separator: ", ")
    }

    /// Identifies the version of the file: a strong ETag, else a Last-Modified that is older than Date; `nil` without either.
    package var validator: Validator? {
        if let entityTag, Validator.isStrong(entityTag) { return .strongETag(entityTag) }
        guard let lastModified, let changed = ListingDates.http(lastModified), let date,
            let answered = ListingDates.http(date), answered > changed
        else { return nil }
        // A file that was changed in the same second as the response may change again in that second and keep its date.
        return .lastModified(lastModified)
    }

    /// An ETag that is no validator, because it is weak or malformed: it can only show that two answers differ.
    package var weakTag: String? {
        entityTag.flatMap { $0.isEmpty || Validator.isStrong($0) ? nil : $0 }
    }

    /// Whether the ETag is another one than that of an earlier answer, by the weak comparison.
    ///
    /// - Source: RFC 9110, section 8.8.3.2.
    func contradicts(weakTag: String?) -> Bool {
        guard let weakTag, let entityTag, !entityTag.isEmpty else { return false }
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return opaque(weakTag) != opaque(entityTag)
    }

    package var hasContentCoding: Bool { contentCoding != nil }

    /// The length of the body in bytes; `nil` when it is not declared, or the declaration must be ignored.
    ///
    /// - Source: RFC 9112, section 6.3; RFC 9110, section 8.6.
    package var bodyLength: Int64? {
        guard !hasTransferCoding, !isMultipart, status >= 200, status != 204, status != 304,
            case .bytes(let count) = contentLength
        else { return nil }
        return count
    }

    /// The body ends with the connection; without `namesFileSize` a body that was cut short cannot be detected.
    package var endsWithConnection: Bool { isVersion1 && !hasTransferCoding && contentLength == .absent }

    /// The body is a part of the file, by the status or by Content-Range: some servers send it with the status of the whole. A
    /// Content-Length that is the size of the file is believed before that field, which has no meaning in such a response.
    ///
    /// - Source: RFC 9110, section 14.4.
    package var isPart: Bool {
        if status == 206 { return true }
        guard status == 200 || status == 203, case .span(_, _, let total) = contentRange else { return false }
        return total == nil || bodyLength != total
    }

    /// Content-Range names the size of the file.
    package var namesFileSize: Bool {
        switch contentRange {
        case .span(_, _, .some(_))?: isPart
        case .unsatisfied?: status == 416
        case .span(_, _, nil)?, nil: false
        }
    }

    /// True for responses after whose body libcurl 7.88 drops excess bytes that arrive together with it, without an error.
    package var mayHideExcess: Bool {
        guard isVersion1, status >= 200 else { return false }
        return hasTransferCoding || status == 204 || !(200...299).contains(status) || contentLength == .bytes(0)
    }

    private static func statusCode(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.count >= 8, text(UnsafeRawBufferPointer(rebasing: line[..<5])).lowercased() == "http/",
            let blank = line.firstIndex(of: UInt8(ascii: " "))
        else { return nil }
        var code = 0
        for byte in line[line.index(after: blank)...].prefix(3) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return code >= 100 ? code : nil
    }

    /// What is before the parameters, in lower case; `nil`: nothing. Byte by byte, since this runs for each response.
    private static func mediaType(_ value: UnsafeRawBufferPointer) -> String? {
        let type = value.drop { $0 == UInt8(ascii: ";") }.prefix { $0 != UInt8(ascii: ";") }
        guard !type.isEmpty else { return nil }
        return lowercased(type.filter { $0 != UInt8(ascii: " ") })
    }

    /// In ASCII only: for Unicode a Kelvin sign is a k, and a field that no one else reads would be taken for Link.
    private static func lowercased(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension ResponseHead {
    /// Why the end of a success's body cannot be told from this head; `nil`: it can.
    ///
    /// - Source: RFC 9112, section 6.3.
    package var framingFault: String? {
        guard (200...299).contains(status) else { return nil }
        // libcurl would read to the end of the connection, so a body that was cut short would look complete.
        guard !hasBlankInFraming else { return "a blank before the colon of Content-Length or Transfer-Encoding" }
        guard !hasTransferCoding else { return nil }
        switch contentLength {
        case .absent, .bytes: return nil
        case .malformed(let text): return "Content-Length: \(text)"
        case .conflicting: return "Content-Length fields that disagree"
        }
    }
}

/// The combined value of all Content-Length fields of one response.
///
/// - Source: RFC 9110, section 8.6; RFC 9112, section 6.3.
package enum ContentLength: Hashable, Sendable {
    case absent
    case bytes(Int64)
    /// Not plain decimal digits, or a number of more than 63 bits. The text is shortened.
    case malformed(String)
    /// Two fields, or two values in one field, that differ.
    case conflicting

    /// Adds the value of one field. Equal values, in one field (`1000, 1000`) or in several, count once.
    mutating func add(_ value: UnsafeRawBufferPointer) {
        for part in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            add(String(decoding: part.trimmed, as: UTF8.self))
        }
    }

    private mutating func add(_ text: String) {
        guard let count = Int64(digits: text) else {
            if self != .conflicting { self = .malformed(String(text.prefix(40))) }
            return
        }
        switch self {
        case .absent: self = .bytes(count)
        case .bytes(let earlier): if earlier != count { self = .conflicting }
        case .malformed, .conflicting: break
        }
    }
}

extension BidirectionalCollection<UInt8> {
    /// Without the blanks and control characters around it.
    var trimmed: SubSequence {
        let rest = drop { $0 <= 0x20 }
        return rest.lastIndex { $0 > 0x20 }.map { rest[...$0] } ?? rest[rest.startIndex..<rest.startIndex]
    }
}

/// The wait that a server asks for in a Retry-After header.
///
/// - Source: RFC 9110, section 10.2.3.
package enum RetryAfter {
    /// A year in seconds; longer waits are cut to it, which prevents overflow.
    static let longest: Int64 = 365 * 86_400

    /// - Parameters:
    ///   - text: seconds (`120`) or a date.
    ///   - now: seconds since 1970, by the wall clock.
    /// - Returns: the wait from `now` on, not negative; `nil` when the text has neither form.
    package static func wait(_ text: String, now: Int64) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            return .seconds(min(Int64(text) ?? longest, longest))
        }
        guard let date = ListingDates.http(text) else { return nil }
        return .seconds(min(max(0, date &- now), longest))
    }
}
