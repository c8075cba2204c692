/// The file as it is served to one request: its bytes and their validators.
struct Representation: Equatable, Sendable {
    let source: BodySource
    /// With quotes, and with `W/` when weak.
    let entityTag: String?
    let lastModified: String?

    /// - Parameter version: counts changes from 0.
    init(_ behaviour: FaultOptions, version: Int) {
        let content = SeededContent(seed: behaviour.seed, version: version)
        if behaviour.isGzip {
            let plain = content.bytes(in: 0..<min(behaviour.size, Self.largestGzip))
            self.source = .bytes(StoredGzip.encoded(plain)[...])
        } else {
            self.source = .seeded(content, 0..<Self.size(behaviour, version))
        }
        let suffix = version == 0 ? "" : "-v\(version)"
        self.entityTag =
            switch behaviour.entityTag {
            case .derived: "\"\(String(behaviour.seed, radix: 16))-\(behaviour.size)\(suffix)\""
            case .strong(let text): "\"\(text)\(suffix)\""
            case .weak(let text): "W/\"\(text)\(suffix)\""
            case .none: nil
            }
        // An hour apart, since a date is a strong validator only with a minute between versions.
        self.lastModified = behaviour.lastModified.map { DateField.text($0 + Int64(version) * 3600) }
    }

    private static func size(_ behaviour: FaultOptions, _ version: Int) -> Int64 {
        let (change, isTooMuch) = behaviour.growth.multipliedReportingOverflow(by: Int64(version))
        return isTooMuch ? behaviour.size : max(0, behaviour.size &+ change)
    }

    /// 64 MiB: a gzip body is made whole in memory.
    private static let largestGzip: Int64 = 64 << 20

    /// Strong comparison; a date must equal Last-Modified exactly (RFC 9110, section 13.1.5).
    func matches(ifRange header: String) -> Bool {
        if header.hasPrefix("W/") { return false }
        return header == (header.hasPrefix("\"") ? entityTag : lastModified)
    }

    /// Weak comparison (RFC 9110, section 13.1.2).
    func matches(ifNoneMatch header: String) -> Bool {
        if header == "*" { return true }
        guard let entityTag else { return false }
        return header.split(separator: ",").contains { candidate in
            Self.opaque(candidate.drop(while: { $0 == " " })) == Self.opaque(entityTag[...])
        }
    }

    /// Only a date equal to Last-Modified matches, a later one does not; RFC 9110, section 13.1.3, allows this.
    func matches(ifModifiedSince header: String) -> Bool { header == lastModified }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}
