import WinchBatch
import WinchHTTP
import WinchModel

/// Invariants of the parsers of response heads.
enum HeadPromises {
    static func fault(contentRange bytes: [UInt8]) -> String? {
        guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)) else { return nil }
        let text: String
        switch range {
        case .span(let first, let last, let total):
            if first < 0 || last < first || last == .max { return "positions \(first) to \(last)" }
            if let total, last >= total { return "position \(last) of \(total)" }
            text = "bytes \(first)-\(last)/\(total.map { "\($0)" } ?? "*")"
        case .unsatisfied(let total):
            if total < 0 { return "a total of \(total)" }
            text = "bytes */\(total)"
        }
        return ContentRange(text) == range ? nil : "'\(text)' is another range when read again"
    }

    /// Reads the input without its first byte as the head of a response to a request for the whole file.
    static func fault(head bytes: [UInt8]) -> String? {
        let head = read(bytes.dropFirst())
        if let length = head.bodyLength, length < 0 { return "a body of \(length) bytes" }
        if let wait = head.retryAfter.flatMap({ RetryAfter.wait($0, now: 1_000_000_000) }), let fault = fault(of: wait)
        {
            return fault
        }
        return fault(of: ResponseVerdict(head, asked: nil))
    }

    static func read(_ bytes: ArraySlice<UInt8>) -> ResponseHead {
        var head = ResponseHead()
        for line in bytes.split(separator: UInt8(ascii: "\n")) { _ = Array(line).withUnsafeBytes { head.read($0) } }
        return head
    }

    private static func fault(of verdict: ResponseVerdict) -> String? {
        switch verdict {
        case .open(let offset, let overlap, let end, let total, _):
            if offset != 0 || overlap != 0 { return "a part at \(offset) of a request for all" }
            return fault(ofEnd: end, from: offset, total)
        case .alreadyComplete, .startOver, .askAgain, .compare, .reread: return "\(verdict) of a request for all"
        case .fail: return nil
        }
    }

    static func fault(ofEnd end: Int64?, from offset: Int64, _ total: Int64?) -> String? {
        guard let end, end < offset || end > total ?? end else { return nil }
        return "from \(offset) to \(end) of \(total.map { "\($0)" } ?? "*")"
    }

    static func fault(of wait: Duration) -> String? {
        wait < .zero || wait > .seconds(365 * 86_400) ? "a wait of \(wait)" : nil
    }
}

/// Invariants of names that come from servers, URLs and batch files.
enum NamePromises {
    static func fault(disposition bytes: [UInt8]) -> String? {
        guard let text = ContentDisposition.filename(bytes) else { return nil }
        guard !text.isEmpty else { return "an empty name counts as one" }
        guard let name = TargetName(sanitizing: text) else { return nil }
        if let fault = fault(of: name) { return fault }
        // The name in a header as a server would write it must be parsed as the same name.
        let again = ContentDisposition.filename(Array("attachment; filename=\(LinkPromises.quoted(name.text))".utf8))
        return again == name.text ? nil : "'\(name.text)' comes back as '\(again ?? "nothing")'"
    }

    static func fault(url bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), let url = try? TransferURL(text) else { return nil }
        if let fault = fault(of: TargetName(url: url)) { return fault }
        guard let again = try? TransferURL(url.text) else { return "its own text is no URL: \(url.text)" }
        if again != url { return "read again it is \(again.text), not \(url.text)" }
        if !url.text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) { return "a blank or control character" }
        if url.text.utf8.contains(UInt8(ascii: "#")) { return "the fragment is kept" }
        let authority = url.redacted.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        if authority.contains(UInt8(ascii: "@")) { return "a login in \(url.redacted)" }
        if url.hostAndPort.isEmpty { return "no host" }
        return url.lastPathComponent.utf8.contains(UInt8(ascii: "/")) ? "a slash in the last part" : nil
    }

    static func fault(path bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), let path = try? TargetPath(text) else { return nil }
        let parts = path.text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for part in parts {
            if ["", ".", ".."].contains(Substring(part)) || part.count > 255 { return "the part '\(Substring(part))'" }
        }
        if path.text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "a control character" }
        guard let again = try? TargetPath(path.text) else { return "its own text is no path" }
        if again != path { return "read again it is \(again.text)" }
        return path.folders.count + 1 == parts.count && path.name == Substring(parts[parts.count - 1])
            ? nil : "its parts do not add up"
    }

    static func fault(of name: TargetName) -> String? {
        let text = name.text
        let bytes = Array(text.utf8)
        // More leaves no room for ".part".
        if !(1...244).contains(bytes.count) { return "a name of \(bytes.count) bytes" }
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) {
            return "a slash or control character in '\(text)'"
        }
        if let first = bytes.first, [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "~"), 0x20].contains(first) {
            return "begins with a character of its own meaning: '\(text)'"
        }
        for scalar in text.unicodeScalars
        where [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory) {
            return "a control character U+\(String(scalar.value, radix: 16))"
        }
        guard let again = TargetName(sanitizing: text) else { return "'\(text)' is not taken again" }
        if again != name { return "'\(text)' becomes '\(again.text)' when read again" }
        for number in [1, 9999] where TargetName.numbered(text, number).utf8.count > 250 {
            return "no room for a number"
        }
        return nil
    }
}

/// Invariants of the parsers of digests in headers and of checksum lists.
enum DigestPromises {
    static func fault(field bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let structured = DigestField.checksum(structured: text)
        // Repr-Digest and Content-Digest are read for the two secure algorithms only.
        if let structured, ![.sha256, .sha512].contains(structured.algorithm) {
            return "\(structured.algorithm.rawValue) counts for a secure hash"
        }
        return structured.flatMap(fault(of:)) ?? DigestField.checksum(old: text).flatMap(fault(of:))
    }

    static func fault(list bytes: [UInt8]) -> String? {
        var list = ChecksumList()
        let problems = list.read(bytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
        if list.count > lines { return "\(list.count) hashes from \(lines) lines" }
        if let wrong = problems.first(where: { !(1...lines).contains($0.line) }) {
            return "line \(wrong.line) of \(lines)"
        }
        // The checksum of each word in the list must be valid, and equal after the list has been read twice.
        let before = list
        _ = list.read(bytes)
        for word in String(decoding: bytes, as: UTF8.self).split(whereSeparator: { " \n\r*()\\".contains($0) }) {
            guard let checksum = before.checksum(of: String(word)) else { continue }
            if let fault = fault(of: checksum) { return fault }
            if list.checksum(of: String(word)) != checksum {
                return "'\(word)' has another hash when the list is read twice"
            }
        }
        return nil
    }

    static func fault(of checksum: Checksum) -> String? {
        let digits = checksum.hex.utf8.count
        if digits != checksum.algorithm.length * 2 { return "\(digits) digits for \(checksum.algorithm.rawValue)" }
        let again = Checksum("\(checksum.algorithm.rawValue)=\(checksum.hex)")
        return again == checksum ? nil : "a checksum that is another one when read again"
    }
}

/// Invariants of the response to a request for the rest of a file: bytes are appended only where they belong.
enum ResumePromises {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// Reads the first byte as the state of the bytes on disk, the others as the head of the response.
    static func fault(_ bytes: [UInt8]) -> String? {
        guard let choice = bytes.first, let asked = request(choice) else { return nil }
        let head = HeadPromises.read(bytes.dropFirst())
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
            if let fault = HeadPromises.fault(ofEnd: end, from: offset, total) { return fault }
            guard offset > 0 else {
                return cause == nil ? "the first byte again, and no cause for it" : nil
            }
            if let total, let known = asked.total, total != known { return "\(total) bytes continue \(known)" }
            return fault(ofPartAt: offset, overlap, asked, head)
        case .reread(let total):
            if head.isPart || !(200...299).contains(head.status) { return "compares status \(head.status)" }
            if total < asked.offset { return "compares \(asked.offset) bytes with \(total)" }
            return namesVersion(asked, head) ? nil : "compares with a version that is not named"
        case .alreadyComplete(let total):
            if head.status != 416 || total != asked.offset { return "complete with \(asked.offset) of \(total)" }
            return contradicts(asked, head) ? "complete in another version" : nil
        case .compare: return asked.overlap == 0 ? nil : "asks twice for an overlap"
        case .startOver, .askAgain, .fail: return nil
        }
    }

    /// The body is written behind the bytes on disk: its start, version and total must be those that were requested.
    private static func fault(ofPartAt offset: Int64, _ overlap: Int64, _ asked: RangeRequest, _ head: ResponseHead)
        -> String?
    {
        guard head.isPart, case .span(let first, _, let total) = head.contentRange else {
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

/// Invariants of the parser of Link fields.
enum LinkPromises {
    static func fault(_ bytes: [UInt8]) -> String? {
        let links = LinkField.links(String(decoding: bytes, as: UTF8.self))
        if links.count > LinkField.most { return "\(links.count) links" }
        for link in links {
            if link.target.isEmpty || link.target.utf8.contains(UInt8(ascii: ">")) {
                return "the target '\(link.target)'"
            }
            if link.relations.isEmpty || link.relations.contains("") { return "the relations \(link.relations)" }
            if let priority = link.priority, priority < 1 { return "the priority \(priority)" }
        }
        // Links that are written as a field and read again must be equal.
        let text = links.map(text).joined(separator: ", ")
        guard text.utf8.count < 32 << 10 else { return nil }
        return LinkField.links(text) == links ? nil : "other links when read again: \(text)"
    }

    private static func text(_ link: WebLink) -> String {
        var text = "<\(link.target)>; rel=\(quoted(link.relations.joined(separator: " ")))"
        if let type = link.mediaType { text += "; type=\(quoted(type))" }
        if let priority = link.priority { text += "; pri=\(priority)" }
        return text
    }

    /// Escaped byte by byte, because a quote with a combining accent is still a quote.
    static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { byte in
            [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        return "\"" + String(decoding: escaped, as: UTF8.self) + "\""
    }
}
