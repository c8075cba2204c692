/// What Winch needs to know of the head of an answer; every other field is skipped unread.
///
/// Shape: fed line by line as the lines come; a new status line forgets all that was before it.
public struct ResponseHead: Sendable, Equatable {
    /// 0 before any status line.
    public private(set) var status = 0
    /// HTTP/1.x, where one connection carries one body at a time.
    public private(set) var isVersion1 = false
    public private(set) var contentLength = ContentLength.absent
    /// A Transfer-Encoding decides where the body ends; a Content-Length beside it counts for nothing.
    public private(set) var hasTransferCoding = false
    /// A field that says where the body ends has a blank before its colon: libcurl does not take it for that field.
    public private(set) var hasBlankInFraming = false
    public private(set) var contentRange: ContentRange?
    /// Several ranges in one body, which nobody asked for.
    public private(set) var isMultipart = false
    /// As sent, weak or strong.
    public private(set) var entityTag: String?
    public private(set) var lastModified: String?
    /// When the answer was made, by the server's clock.
    public private(set) var date: String?
    /// The body is not the file's bytes as they are: compressed, for one.
    public private(set) var hasContentCoding = false
    /// Bytes as sent: the charset is the parser's business.
    public private(set) var disposition: [UInt8]?
    public private(set) var retryAfter: String?
    public private(set) var location: String?
    /// The fields that a person may want to see, as sent, in their order.
    public private(set) var telling: [HeaderField] = []
    /// A 401 offers the Digest scheme.
    public private(set) var offersDigest = false
    /// `text/html`, in lower case, without parameters.
    public private(set) var mediaType: String?
    /// The fields that name hashes; of several with one name, all of them joined by commas.
    public private(set) var reprDigest: String?
    public private(set) var contentDigest: String?
    public private(set) var oldDigest: String?

    public init() {}

    /// What a line turned out to be.
    public enum Line: Sendable, Equatable {
        case status, field, end
    }

    /// Takes one line with or without its CRLF. Lines that are no fields are ignored.
    public mutating func read(_ line: UnsafeRawBufferPointer) -> Line {
        let line = Self.trimmed(line)
        guard let first = line.first else { return .end }
        if first | 0x20 == UInt8(ascii: "h"), let code = Self.statusCode(line) {
            self = ResponseHead()
            status = code
            isVersion1 = line[5] == UInt8(ascii: "1")
            return .status
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .field }
        // A blank before the colon is taken away, as a proxy must do it (RFC 9112, section 5.1).
        let name = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        if name.count < line[..<colon].count, Self.isFraming(name) { hasBlankInFraming = true }
        take(name: name) {
            Self.trimmed(UnsafeRawBufferPointer(rebasing: line[line.index(after: colon)...]))
        }
        keep(name) { Self.trimmed(UnsafeRawBufferPointer(rebasing: line[line.index(after: colon)...])) }
        return .field
    }

    private static func isFraming(_ name: UnsafeRawBufferPointer) -> Bool {
        equal(name, "content-length") || equal(name, "transfer-encoding")
    }

    /// The name's length is compared first, so that the many fields that do not matter cost next to nothing.
    private mutating func take(name: UnsafeRawBufferPointer, value: () -> UnsafeRawBufferPointer) {
        switch name.count {
        case 4 where Self.equal(name, "etag"): entityTag = Self.text(value())
        case 4 where Self.equal(name, "date"): date = Self.text(value())
        case 6, 11, 14: takeMore(name: name, value: value)
        case 8 where Self.equal(name, "location"): location = Self.text(value())
        case 12 where Self.equal(name, "content-type"):
            mediaType = Self.text(value()).split(separator: ";").first?.lowercased().filter { $0 != " " }
            isMultipart = mediaType == "multipart/byteranges"
        case 13 where Self.equal(name, "last-modified"): lastModified = Self.text(value())
        case 13 where Self.equal(name, "content-range"): contentRange = ContentRange(Self.text(value()))
        case 16 where Self.equal(name, "www-authenticate"):
            let challenge = Self.text(value()).lowercased()
            offersDigest = offersDigest || challenge.hasPrefix("digest") || challenge.contains(", digest ")
        case 16 where Self.equal(name, "content-encoding"):
            hasContentCoding = Self.text(value()).lowercased() != "identity"
        case 17 where Self.equal(name, "transfer-encoding"): hasTransferCoding = true
        case 19 where Self.equal(name, "content-disposition"): disposition = Array(value())
        default: break
        }
    }

    /// Keeps a field that is worth showing; a server that sends hundreds of them gets no room for it.
    private mutating func keep(_ name: UnsafeRawBufferPointer, value: () -> UnsafeRawBufferPointer) {
        guard telling.count < 2 * HeaderField.telling.count,
            let known = HeaderField.telling.first(where: { Self.equal(name, $0) })
        else { return }
        let value = UnsafeRawBufferPointer(rebasing: value().prefix(HeaderField.longest))
        telling.append(HeaderField(name: known, value: Self.text(value)))
    }

    /// Names of a length that several have.
    private mutating func takeMore(name: UnsafeRawBufferPointer, value: () -> UnsafeRawBufferPointer) {
        if Self.equal(name, "content-length") {
            contentLength.add(value())
        } else if Self.equal(name, "retry-after") {
            retryAfter = Self.text(value())
        } else {
            takeDigest(name: name, value: value)
        }
    }

    /// The fields that may also come after the body.
    private mutating func takeDigest(name: UnsafeRawBufferPointer, value: () -> UnsafeRawBufferPointer) {
        func join(_ text: inout String?) { text = (text.map { $0 + ", " } ?? "") + Self.text(value()) }
        if Self.equal(name, "repr-digest") {
            join(&reprDigest)
        } else if Self.equal(name, "content-digest") {
            join(&contentDigest)
        } else if Self.equal(name, "digest") {
            join(&oldDigest)
        }
    }

    /// Takes a line from behind the body: hashes that were made while it was sent. All else there counts for nothing.
    ///
    /// - Source: RFC 9530, section 2; RFC 9110, section 6.5.
    public mutating func read(trailer line: UnsafeRawBufferPointer) {
        let line = Self.trimmed(line)
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        takeDigest(name: UnsafeRawBufferPointer(rebasing: line[..<colon])) {
            Self.trimmed(UnsafeRawBufferPointer(rebasing: line[line.index(after: colon)...]))
        }
    }

    /// What tells this version of the file from another: a strong ETag, else a date that is as good as one.
    public var validator: Validator? {
        if let entityTag, Validator.isStrong(entityTag) { return .strongETag(entityTag) }
        guard let lastModified, let changed = HTTPDate.seconds(lastModified), let date,
            let answered = HTTPDate.seconds(date), answered > changed
        else { return nil }
        // A file that was changed within the second of the answer may be changed once more in it, under the same date.
        return .lastModified(lastModified)
    }

    /// The body's length in bytes, if it was declared and counts.
    ///
    /// - Source: RFC 9112, section 6.3; RFC 9110, section 8.6.
    public var bodyLength: Int64? {
        guard !hasTransferCoding, !isMultipart, status >= 200, status != 204, status != 304,
            case .bytes(let count) = contentLength
        else { return nil }
        return count
    }

    /// Nothing but the end of the connection tells where the body ends.
    public var endsWithConnection: Bool { isVersion1 && !hasTransferCoding && contentLength == .absent }

    /// Bytes behind the body of such an answer go unnoticed by libcurl 7.88 when they come in one piece with it.
    public var mayHideExcess: Bool {
        guard isVersion1, status >= 200 else { return false }
        return hasTransferCoding || status == 204 || !(200...299).contains(status) || contentLength == .bytes(0)
    }

    private static func statusCode(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.count >= 8, equal(UnsafeRawBufferPointer(rebasing: line[..<5]), "http/"),
            let blank = line.firstIndex(of: UInt8(ascii: " "))
        else { return nil }
        var code = 0
        for byte in line[line.index(after: blank)...].prefix(3) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return code >= 100 ? code : nil
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    /// - Parameter name: in lower case.
    private static func equal(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            guard name.count == bytes.count else { return false }
            for index in 0..<name.count {
                let byte = bytes[index]
                let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                if lower != name[index] { return false }
            }
            return true
        }
    }

    /// - Parameter name: in lower case.
    private static func equal(_ bytes: UnsafeRawBufferPointer, _ name: String) -> Bool {
        let name = name.utf8
        return name.count == bytes.count
            && zip(bytes, name).allSatisfy { byte, letter in
                ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == letter
            }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
