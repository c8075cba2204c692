import Synchronization
package import WinchModel

/// Checksums of files by name, as `sha256sum` and similar tools write them.
///
/// Accepted are GNU lines (`HEX  NAME`, `HEX *NAME`, with `\` before the hash when the name is escaped), BSD lines
/// (`SHA256 (NAME) = HEX`), empty lines, `#` comments, and the armour of a signed list. The signature is not verified. In a list
/// that is named after its file (`disk.iso.sha256`), a digest alone is that of the file. The kind
/// of the digests in GNU lines follows from the list's name if that names one that can be verified, else from the last comment or
/// heading that names one (`# BLAKE2B HASH`, `SHA3-256:`), else from the list's name, else from their number of digits.
package struct ChecksumList: Sendable {
    /// Checksums by the name as listed, without a leading `./`.
    private var byPath: [ExactText: Checksum] = [:]
    /// Checksums by the last part of the listed name.
    private var byName: [ExactText: Named] = [:]
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
        if let found = byPath[ExactText(path)] { return found }
        guard case .one(let checksum) = byName[Self.lastPart(path)] else { return nil }
        return checksum
    }

    /// The checksum that is listed for a transfer: under the name from `out=` or `-o`, else under the end of the path of one of
    /// its URLs, the longest that is listed.
    package func checksum(for spec: TransferSpec) -> Checksum? {
        if let name = spec.name, let found = checksum(of: name.text) { return found }
        for url in spec.urls {
            if let found = checksum(atEndOf: url.pathText.prefix { $0 != "?" }) { return found }
        }
        return checksum(of: spec.expectedName)
    }

    private func checksum(atEndOf path: Substring) -> Checksum? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentCoding.decodedSystemText($0) }
        // The last part alone comes last: it may be ambiguous, or listed under another folder.
        for first in parts.indices {
            if let found = byPath[ExactText(parts[first...].joined(separator: "/"))] { return found }
        }
        return parts.last.flatMap { checksum(of: $0) }
    }

    /// Whether it lists one of the files that were verified by the whole of several lists.
    ///
    /// - Parameters:
    ///   - whole: what was read of all of them: another one may have a stronger checksum of the file.
    ///   - checksums: of the files.
    package func lists(oneOf checksums: Set<Checksum>, verifiedBy whole: ChecksumList) -> Bool {
        byPath.keys.contains { path in whole.byPath[path].map { checksums.contains($0) } ?? false }
    }

    /// Adds the checksums of a whole file. Never fails.
    ///
    /// - Parameter name: of the list, which may tell the kind of its digests; `nil`: it has none.
    /// - Returns: warnings about the lines that were ignored, one for all of an unknown kind. Of two algorithms for one name
    ///   the stronger counts; two different checksums of one algorithm are a warning, and the first counts.
    package mutating func read(_ bytes: [UInt8], name: String? = nil) -> [BatchProblem] {
        var problems: [BatchProblem] = []
        var armour = Armour.none
        let named = name.flatMap { ChecksumListKind(fileName: $0) }
        var kind = named ?? .known
        var unknown: Set<String> = []
        let subject = name.flatMap(Self.subject)
        for (number, line) in TextLines(bytes) {
            guard !armour.takes(line), let first = line.first else { continue }
            guard first != UInt8(ascii: "#") else {
                // In a list such as SHA256SUMS a comment may have such a word as the name of a program.
                if named != .known {
                    kind = ChecksumListKind(namedIn: String(decoding: line.prefix(200), as: UTF8.self)) ?? kind
                }
                continue
            }
            let fault: String?
            var entry = line
            if let subject, line.allSatisfy(\.isHexDigit) { entry += Array("  \(subject)".utf8) }
            switch ChecksumLine(entry, foreign: kind.foreignName) {
            case .entry(let name, let checksum):
                entries += 1
                fault = add(name, checksum)
            case .unknownHash(let name):
                fault = unknown.insert(name).inserted ? "unknown checksum type: \(name)" : nil
            case .malformed:
                let text = String(decoding: line.prefix(200), as: UTF8.self)
                let heading = line.mayBeHeading && named != .known ? ChecksumListKind(namedIn: text) : nil
                kind = heading ?? kind
                fault = heading == nil ? "neither HEX  NAME nor SHA256 (NAME) = HEX" : nil
            }
            if let fault { problems.note(BatchProblem(line: number, severity: .warning, message: fault)) }
        }
        return problems
    }

    /// The file that a list is named after; `nil`: its name does not say.
    private static func subject(of name: String) -> String? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        let kind = name[name.utf8.index(after: dot)...].lowercased()
        return kind.hasPrefix("sha") || kind.hasPrefix("md5") ? String(name[..<dot]) : nil
    }

    private mutating func add(_ path: String, _ checksum: Checksum) -> String? {
        let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        let key = ExactText(path)
        if let known = byPath[key] {
            if known.algorithm == checksum.algorithm {
                return known == checksum ? nil : "a different checksum than before for \(path.prefix(80))"
            }
            if known.algorithm.length > checksum.algorithm.length { return nil }
        }
        let before = byPath.updateValue(checksum, forKey: key)
        let name = Self.lastPart(path)
        switch byName[name] {
        case .ambiguous: break
        case .one(let other) where other != before && other != checksum: byName[name] = .ambiguous
        case .one, nil: byName[name] = .one(checksum)
        }
        return nil
    }

    private static func lastPart(_ path: String) -> ExactText {
        ExactText(path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...])
    }

    /// Which part of a list with a cleartext signature is being read.
    ///
    /// - Source: RFC 9580, section 7.
    private enum Armour {
        case none
        /// The `Hash: SHA256` lines, up to the empty line.
        case header
        case signature

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

extension ArraySlice<UInt8> {
    /// It has no digest: neither a `=` nor eight hexadecimal digits, as in no word of a heading.
    fileprivate var mayBeHeading: Bool {
        var digits = 0
        return !contains { byte in
            digits = byte.isHexDigit ? digits + 1 : 0
            return byte == UInt8(ascii: "=") || digits == 8
        }
    }
}

/// One line of a checksum list, in the GNU or the BSD format.
///
/// - Source: GNU coreutils manual, "md5sum invocation"; BSD sha256(1).
enum ChecksumLine: Hashable {
    case entry(name: String, Checksum)
    /// The line has the right form, but Winch does not know the algorithm or the length of the digest.
    case unknownHash(String)
    case malformed

    /// - Parameter foreign: the kind of the digests of lines that name none, where Winch does not compute it; `nil`: their
    ///   number of digits tells the kind.
    init(_ line: ArraySlice<UInt8>, foreign: String? = nil) {
        let text = String(system: line)
        guard !text.unicodeScalars.contains("\0") else {
            self = .malformed
            return
        }
        let gnu = Self.gnu(text[...])
        if let foreign, case .entry = gnu {
            self = .unknownHash(foreign)
        } else {
            self = gnu ?? Self.bsd(text[...]) ?? .malformed
        }
    }

    /// `HEX  NAME` or `HEX *NAME`; a backslash before the hash means that the name is escaped.
    private static func gnu(_ line: Substring) -> ChecksumLine? {
        let isEscaped = line.utf8.first == UInt8(ascii: "\\")
        var rest = isEscaped ? line.utf8.dropFirst() : line.utf8[...]
        let hex = rest.prefix(while: \.isHexDigit)
        rest = rest.dropFirst(hex.count)
        guard hex.count >= 8, rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") else { return nil }
        rest = rest.dropFirst()
        // The second character is ' ' for text and '*' for binary mode, which makes no difference here. Some tools write only
        // one blank.
        if rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "*") { rest = rest.dropFirst() }
        let raw = Substring(rest)
        guard !raw.isEmpty, let name = isEscaped ? unescaped(raw) : String(raw) else { return .malformed }
        let digest = Substring(hex)
        let algorithm = Checksum.Algorithm.allCases.first { $0.length * 2 == digest.utf8.count }
        guard let algorithm, let checksum = Checksum("\(algorithm.rawValue)=\(digest)") else {
            return .unknownHash("\(digest.utf8.count) digits")
        }
        return .entry(name: name, checksum)
    }

    /// `SHA256 (NAME) = HEX`; OpenSSL leaves out the blanks and writes `SHA2-256`.
    private static func bsd(_ line: Substring) -> ChecksumLine? {
        let isEscaped = line.utf8.first == UInt8(ascii: "\\")
        let line = isEscaped ? line.dropFirst() : line
        guard let open = line.utf8.firstIndex(of: UInt8(ascii: "(")),
            let equals = line.utf8.lastIndex(of: UInt8(ascii: "=")), open < equals,
            let close = line.utf8[..<equals].lastIndex(of: UInt8(ascii: ")")), open < close
        else { return nil }
        let word = line[..<open].filter { $0 != " " }
        let hex = line[line.utf8.index(after: equals)...].filter { $0 != " " }
        let raw = line[line.utf8.index(after: open)..<close]
        let isPlain = line[line.utf8.index(after: close)..<equals].allSatisfy { $0 == " " }
        guard isPlain, !word.isEmpty, !hex.isEmpty, hex.utf8.allSatisfy(\.isHexDigit), !raw.isEmpty,
            let name = isEscaped ? unescaped(raw) : String(raw)
        else { return .malformed }
        let upper = word.uppercased()
        let known = upper.hasPrefix("SHA2-") ? "SHA" + upper.dropFirst(5) : upper
        let names = Checksum.Algorithm.allCases.map { $0.rawValue.uppercased().filter { $0 != "-" } }
        guard names.contains(known) else {
            return .unknownHash(String(word.prefix(20)))
        }
        return Checksum("\(known)=\(hex)").map { .entry(name: name, $0) } ?? .malformed
    }

    /// Resolves the escapes `\\`, `\n` and `\r`; `nil` for any other escape.
    private static func unescaped(_ text: Substring) -> String? {
        var name = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                name.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "\\": name.append("\\")
            case "n": name.append("\n")
            case "r": name.append("\r")
            default: return nil
            }
        }
        return String(name)
    }
}

/// The kind of the digests of a checksum list, from a comment in it or from its name: the number of digits does not tell
/// BLAKE2b from SHA-512.
enum ChecksumListKind: Hashable {
    /// One that Winch computes; the number of digits tells which.
    case known
    /// Another one, by its name.
    case foreign(String)

    /// - Parameter text: such as `# BLAKE2B HASH`.
    /// - Returns: `nil` when it names no kind, or contradicts itself.
    init?(namedIn text: String) {
        let words = text.uppercased().replacing("SHA-", with: "SHA").split { !$0.isLetter && !$0.isNumber }
        var found: Set<ChecksumListKind> = []
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1] : ""
            guard let kind = Self.kind(of: word, before: next) else { continue }
            found.insert(kind)
        }
        guard found.count == 1, let kind = found.first else { return nil }
        self = kind
    }

    /// - Parameter name: of the list, such as `b2sums.txt` or `disk.iso.b2`.
    init?(fileName name: String) {
        let last = name.uppercased().split(separator: ".").last.map(String.init) ?? ""
        guard let kind = Self.suffixes[last].map(Self.foreign) ?? Self(namedIn: name) else { return nil }
        self = kind
    }

    /// `nil`: Winch computes it.
    var foreignName: String? {
        if case .foreign(let name) = self { name } else { nil }
    }

    private static let suffixes = ["B2": "BLAKE2b", "B3": "BLAKE3", "WP": "WHIRLPOOL"]

    private static let foreignNames = [
        ("BLAKE2", "BLAKE2b"), ("B2SUM", "BLAKE2b"), ("BLAKE3", "BLAKE3"), ("B3SUM", "BLAKE3"),
        ("WHIRLPOOL", "WHIRLPOOL"), ("RIPEMD", "RIPEMD"), ("RMD160", "RIPEMD"), ("KECCAK", "KECCAK"),
        ("STREEBOG", "STREEBOG"), ("SM3", "SM3"), ("MD2", "MD2"), ("MD4", "MD4"), ("MD6", "MD6"), ("XXH", "XXH"),
        ("SKEIN", "SKEIN"), ("K12", "KangarooTwelve"), ("KANGAROO", "KangarooTwelve"), ("HAVAL", "HAVAL"),
        ("SHAKE", "SHAKE"),
    ]

    private static func kind(of word: Substring, before next: Substring) -> ChecksumListKind? {
        if let (_, name) = foreignNames.first(where: { word.hasPrefix($0.0) }) { return .foreign(name) }
        // `gost_2.11_checksums.txt` are those of a program.
        if word.hasPrefix("GOST"), next.first?.isNumber != true { return .foreign("GOST") }
        if word == "SHA3" || word.hasPrefix("SHA3SUM") || word == "SHA" && next == "3" { return .foreign("SHA3") }
        // `SHA512/256` has as many digits as SHA-256.
        if word == "SHA512", let part = ["256", "224"].first(where: { next.hasPrefix($0) }) {
            return .foreign("SHA512/\(part)")
        }
        let isKnown = ["MD5", "SHA1", "SHA2", "SHA512"].contains { word.hasPrefix($0) }
        return isKnown || word == "SHA" && Int(next) != nil ? .known : nil
    }
}

/// As it is stored: names as listed, each followed by its digest. Not by names: readers of JSON may take two of them for the same.
extension ChecksumList: Codable {
    package init(from decoder: any Decoder) throws {
        let words = try decoder.singleValueContainer().decode([String].self)
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            guard let checksum = Checksum(words[index + 1]) else { continue }
            entries += 1
            _ = add(words[index], checksum)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(byPath.flatMap { [$0.key.text, "\($0.value.algorithm.rawValue)=\($0.value.hex)"] })
    }
}

/// The lists of `--sums` by which files are verified whose names come from servers and folders: that of this run, and those that
/// the transfers of earlier runs were added with.
package final class ChecksumLists: Sendable {
    private let own: ChecksumList
    private let byKey: Mutex<[String: ChecksumList]>
    private let stored = Mutex<(@Sendable (String) -> ChecksumList?)?>(nil)

    /// - Parameters:
    ///   - own: for transfers whose settings name no list.
    ///   - key: by which settings name it; `nil`: none does.
    package init(_ own: ChecksumList = ChecksumList(), key: String? = nil) {
        self.own = own
        byKey = Mutex(key.map { [$0: own] } ?? [:])
    }

    /// - Parameter read: the list of an earlier run, by its key; `nil`: it is not known. May block.
    package func open(_ read: @escaping @Sendable (String) -> ChecksumList?) { stored.withLock { $0 = read } }

    /// The list that the transfer was added with.
    ///
    /// - Throws: when it is not known any more: its files could not be verified.
    package func list(for settings: TransferSettings) throws(TransferFailure) -> ChecksumList {
        guard let key = settings.sums else { return own }
        if let known = byKey.withLock({ $0[key] }) { return known }
        guard let list = stored.withLock(\.self)?(key) else {
            throw .other("the checksum list that it was added with (--sums) is lost; add it anew")
        }
        byKey.withLock { $0[key] = list }
        return list
    }
}
