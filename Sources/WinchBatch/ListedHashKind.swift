/// The kind of the digests of a checksum list, from a comment in it or from its name: the number of digits does not tell
/// BLAKE2b from SHA-512.
enum ListedHashKind: Hashable {
    /// One that Winch computes; the number of digits tells which.
    case known
    /// Another one, by its name.
    case foreign(String)

    /// - Parameter text: such as `# BLAKE2B HASH`.
    /// - Returns: `nil` when it names no kind, or contradicts itself.
    init?(namedIn text: String) {
        let words = text.uppercased().split { !$0.isLetter && !$0.isNumber }
        var found: Set<ListedHashKind> = []
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
        ("STREEBOG", "STREEBOG"), ("SM3", "SM3"),
    ]

    private static func kind(of word: Substring, before next: Substring) -> ListedHashKind? {
        if let (_, name) = foreignNames.first(where: { word.hasPrefix($0.0) }) { return .foreign(name) }
        if word == "SHA3" || word.hasPrefix("SHA3SUM") || word == "SHA" && next == "3" { return .foreign("SHA3") }
        // `SHA512/256` has as many digits as SHA-256.
        if word == "SHA512", let part = ["256", "224"].first(where: { next.hasPrefix($0) }) {
            return .foreign("SHA512/\(part)")
        }
        let isKnown = ["MD5", "SHA1", "SHA2", "SHA512"].contains { word.hasPrefix($0) }
        return isKnown || word == "SHA" && Int(next) != nil ? .known : nil
    }
}
