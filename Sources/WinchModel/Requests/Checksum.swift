/// The expected digest of a whole file.
public struct Checksum: Hashable, Sendable, Codable {
    /// The algorithms of aria2's `--checksum` and of Metalink files.
    public enum Algorithm: String, Hashable, Sendable, Codable, CaseIterable {
        /// 128 bits. Detects errors, but not a file that was forged.
        case md5
        /// 160 bits. Detects errors, but not a file that was forged.
        case sha1 = "sha-1"
        /// 256 bits.
        case sha256 = "sha-256"
        /// 512 bits.
        case sha512 = "sha-512"

        /// Length of the digest in bytes.
        public var length: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// The hash function.
    public let algorithm: Algorithm
    /// The digest in lower-case hexadecimal.
    public let hex: String

    /// - Parameter hex: as many digits as the algorithm makes, in lower case.
    package init(_ algorithm: Algorithm, hex: String) { (self.algorithm, self.hex) = (algorithm, hex) }

    /// - Parameter text: `sha-256=9f86d0...`; `sha256` without the dash is accepted too, and the digits alone, whose number
    ///   determines the algorithm.
    /// - Returns: `nil` for an unknown algorithm or a digest of the wrong length.
    public init?(_ text: some StringProtocol) {
        guard let equals = text.firstIndex(of: "=") else {
            let hex = text.lowercased()
            guard let algorithm = Algorithm.allCases.first(where: { $0.length * 2 == hex.utf8.count }),
                hex.utf8.allSatisfy(\.isHexDigit)
            else { return nil }
            (self.algorithm, self.hex) = (algorithm, hex)
            return
        }
        let name = text[..<equals].lowercased()
        let hex = text[text.index(after: equals)...].lowercased()
        let dashless = name.filter { $0 != "-" }
        guard let algorithm = Algorithm.allCases.first(where: { $0.rawValue.filter { $0 != "-" } == dashless }),
            hex.utf8.count == algorithm.length * 2, hex.utf8.allSatisfy(\.isHexDigit)
        else { return nil }
        self.algorithm = algorithm
        self.hex = hex
    }
}
