/// The file as it is served to one request: its bytes and their validators.
struct Representation: Equatable, Sendable {
    let source: BodySource
    /// With quotes, and with `W/` when weak.
    let entityTag: String?
    let lastModified: String?

    /// - Parameter version: counts changes from 0.
    init(_ options: FaultOptions, version: Int) {
        self.source = .seeded(SeededContent(seed: options.seed, version: version), 0..<Self.size(options, version))
        let suffix = version == 0 ? "" : "-v\(version)"
        self.entityTag =
            switch options.entityTag {
            case .derived: "\"\(String(options.seed, radix: 16))-\(options.size)\(suffix)\""
            case .strong(let text): "\"\(text)\(suffix)\""
            case .weak(let text): "W/\"\(text)\(suffix)\""
            case .none: nil
            }
        // An hour apart, since a date is a strong validator only with a minute between versions.
        self.lastModified = options.lastModified.map { DateField.text($0 + Int64(version) * 3600) }
    }

    private static func size(_ options: FaultOptions, _ version: Int) -> Int64 {
        let (change, isTooMuch) = options.growth.multipliedReportingOverflow(by: Int64(version))
        return isTooMuch ? options.size : max(0, options.size &+ change)
    }

    /// RFC 9110, section 13.1: the tags are compared weakly; of dates, Last-Modified alone matches, a later one does not.
    func isKnown(to request: ReceivedRequest) -> Bool {
        guard let tags = request.header("If-None-Match") else {
            return lastModified != nil && request.header("If-Modified-Since") == lastModified
        }
        func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
        return tags.split(separator: ",").contains { tag in
            entityTag.map { opaque($0[...]) == opaque(tag.drop(while: { $0 == " " })) } ?? false
        }
    }

    /// Strong comparison; a date must equal Last-Modified exactly (RFC 9110, section 13.1.5).
    func matches(ifRange header: String) -> Bool {
        if header.hasPrefix("W/") { return false }
        return header == (header.hasPrefix("\"") ? entityTag : lastModified)
    }
}

/// Bytes to be sent, generated slice by slice while they are written, so that a 2 GB body costs no memory.
enum BodySource: Equatable, Sendable {
    case seeded(SeededContent, Range<Int64>)
    case bytes(ArraySlice<UInt8>)

    var count: Int64 {
        switch self {
        case .seeded(_, let range): range.upperBound - range.lowerBound
        case .bytes(let bytes): Int64(bytes.count)
        }
    }

    /// - Parameter range: counted from the start of this source, cut to its end.
    func slice(_ range: Range<Int64>) -> BodySource {
        let range = range.clamped(to: 0..<count)
        switch self {
        case .seeded(let content, let whole):
            return .seeded(content, whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
        case .bytes(let bytes):
            let start = bytes.startIndex
            return .bytes(bytes[start + Int(range.lowerBound)..<start + Int(range.upperBound)])
        }
    }

    /// The same bytes but for one of the file, in parts.
    ///
    /// - Parameter position: in the file; what is no part of a file stays as it is.
    func damaged(at position: Int64) -> [BodySource] {
        guard case .seeded(let content, let range) = self, range.contains(position) else { return [self] }
        return [
            .seeded(content, range.lowerBound..<position),
            .bytes(content.bytes(in: position..<position + 1).map { ~$0 }[...]),
            .seeded(content, position + 1..<range.upperBound),
        ]
    }
}
