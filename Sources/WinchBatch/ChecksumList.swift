package import WinchModel

/// Checksums of files by name, as `sha256sum` and similar tools write them.
///
/// Accepted are GNU lines (`HEX  NAME`, `HEX *NAME`, with `\` before the hash when the name is escaped), BSD lines
/// (`SHA256 (NAME) = HEX`), empty lines, `#` comments, and the armour of a signed list. The signature is not verified. The kind
/// of the digests in GNU lines follows from the last comment that names one (`# BLAKE2B HASH`), else from the list's name,
/// else from their number of digits.
package struct ChecksumList: Sendable {
    /// Checksums by the name as listed, without a leading `./`.
    private var byPath: [String: Checksum] = [:]
    /// Checksums by the last part of the listed name.
    private var byName: [String: Named] = [:]
    /// Lines read that name a file and a digest that can be verified.
    package private(set) var entries = 0

    /// The checksum for a file name, from all listed paths that end in it.
    private enum Named {
        case one(Checksum)
        /// Paths with different checksums end in the name. More paths that end in it do not change this.
        case ambiguous
    }

    package init() {}

    package var isEmpty: Bool { byPath.isEmpty }
    package var count: Int { byPath.count }

    /// The checksum that is listed for a file.
    ///
    /// - Parameter path: below the target folder. The whole path is looked up first, then its last part alone.
    /// - Returns: `nil` when the file is not listed, or only its last part is and that is ambiguous.
    package func checksum(of path: String) -> Checksum? {
        if let found = byPath[path] { return found }
        guard case .one(let checksum) = byName[Self.lastPart(path)] else { return nil }
        return checksum
    }

    /// The checksum that is listed for a transfer: under the name from `out=` or `-o`, else under the last part of one of its
    /// URLs.
    package func checksum(for spec: TransferSpec) -> Checksum? {
        if let name = spec.name, let found = checksum(of: name.text) { return found }
        for url in spec.urls {
            if let found = checksum(of: PercentCoding.decodedSystemText(url.lastPathComponent)) { return found }
        }
        return checksum(of: spec.expectedName)
    }

    /// Adds the checksums of a whole file. Never fails.
    ///
    /// - Parameter name: of the list, which may tell the kind of its digests; `nil`: it has none.
    /// - Returns: warnings about the lines that were ignored, one for all of an unknown kind. Of two algorithms for one name
    ///   the stronger counts; two different checksums of one algorithm are a warning, and the first counts.
    package mutating func read(_ bytes: [UInt8], name: String? = nil) -> [BatchProblem] {
        var problems: [BatchProblem] = []
        var armour = Armour.none
        var kind = name.flatMap { ListedHashKind(fileName: $0) } ?? .known
        var unknown: Set<String> = []
        for (number, line) in TextLines(bytes) {
            guard !armour.takes(line), let first = line.first else { continue }
            guard first != UInt8(ascii: "#") else {
                kind = ListedHashKind(namedIn: String(decoding: line.prefix(200), as: UTF8.self)) ?? kind
                continue
            }
            let fault: String?
            switch ChecksumLine(line, foreign: kind.foreignName) {
            case .entry(let name, let checksum):
                entries += 1
                fault = add(name, checksum)
            case .unknownHash(let name):
                fault = unknown.insert(name).inserted ? "unknown checksum type: \(name)" : nil
            case .malformed: fault = "neither HEX  NAME nor SHA256 (NAME) = HEX"
            }
            if let fault { problems.append(BatchProblem(line: number, severity: .warning, message: fault)) }
        }
        return problems
    }

    private mutating func add(_ path: String, _ checksum: Checksum) -> String? {
        let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        if let known = byPath[path] {
            if known.algorithm == checksum.algorithm {
                return known == checksum ? nil : "a different checksum than before for \(path.prefix(80))"
            }
            if known.algorithm.length > checksum.algorithm.length { return nil }
        }
        let before = byPath.updateValue(checksum, forKey: path)
        let name = Self.lastPart(path)
        switch byName[name] {
        case .ambiguous: break
        case .one(let other) where other != before && other != checksum: byName[name] = .ambiguous
        case .one, nil: byName[name] = .one(checksum)
        }
        return nil
    }

    private static func lastPart(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Which part of a list with a cleartext signature is being read.
    ///
    /// - Source: RFC 9580, section 7.
    private enum Armour {
        case none
        /// The `Hash: SHA256` lines, up to the empty line.
        case header
        case signature

        /// True for a line that belongs to the armour.
        mutating func takes(_ line: ArraySlice<UInt8>) -> Bool {
            if line.starts(with: "-----BEGIN PGP SIGNED".utf8) {
                self = .header
                return true
            }
            if line.starts(with: "-----BEGIN PGP SIG".utf8) {
                self = .signature
                return true
            }
            switch self {
            case .none: return false
            case .header: if line.isEmpty { self = .none }
            case .signature: if line.starts(with: "-----END PGP".utf8) { self = .none }
            }
            return true
        }
    }
}
