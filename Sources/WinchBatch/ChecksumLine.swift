import WinchModel

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
        guard Checksum.Algorithm.allCases.contains(where: { $0.bsdName == known }) else {
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

extension Checksum.Algorithm {
    fileprivate var bsdName: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        }
    }
}
