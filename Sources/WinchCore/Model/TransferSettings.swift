/// How one transfer is to be fetched: the command line's settings, overlaid by the entry's own.
public struct TransferSettings: Hashable, Sendable, Codable {
    /// Request header lines, `Name: value`.
    public var headers: [String] = []
    public var referer: String?
    public var userAgent: String?
    public var user: String?
    public var password: String?
    public var usesNetrc = false
    /// A cookie file in Netscape's format.
    public var cookieFile: String?
    public var proxy: String?
    public var caFile: String?
    /// Certificates are not checked.
    public var isInsecure = false
    /// A private key for SFTP, instead of the usual ones.
    public var keyFile: String?
    /// Fingerprints (`SHA256:...`) of SSH servers that are trusted, whatever known_hosts says.
    public var hostKeys: [String] = []
    /// Keys of unknown SSH servers are added to known_hosts without a question.
    public var acceptsNewHostKeys = false
    public var maxRedirects = 20
    public var connectTimeout: Duration = .seconds(15)
    /// Less than 1 KiB in this time counts as stalled.
    public var stallTimeout: Duration = .seconds(30)
    /// A connection that brings less for half a minute is begun anew; `nil`: any speed will do.
    public var lowestSpeed: ByteRate?
    /// For the whole transfer, all attempts.
    public var maxTime: Duration?
    /// 0 = without end.
    public var maxTries = 5
    /// The first wait; doubled with jitter after that.
    public var retryWait: Duration = .seconds(1)
    public var rateLimit: ByteRate?
    public var checksum: Checksum?
    /// More bytes than this are not taken.
    public var maxSize: ByteCount?
    /// A redirect may lead from https to http.
    public var allowsDowngrade = false
    public var onConflict: NameConflict = .rename
    public var onChange: FileChange = .restart

    public init() {}
}

/// What to do when a different file already has the name.
public enum NameConflict: String, Hashable, Sendable, Codable, CaseIterable {
    case rename, overwrite, skip, fail
}

/// What to do when the server has another file than the one whose bytes are kept.
public enum FileChange: String, Hashable, Sendable, Codable, CaseIterable {
    case restart, fail
}

/// What the whole file must hash to.
public struct Checksum: Hashable, Sendable, Codable {
    /// The hashes that aria2 and its metalinks know.
    public enum Algorithm: String, Hashable, Sendable, Codable, CaseIterable {
        case md5
        case sha1 = "sha-1"
        case sha256 = "sha-256"
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

    public let algorithm: Algorithm
    /// Lower case.
    public let hex: String

    /// - Parameter text: `sha-256=9f86d0...`; `sha256` without the dash is taken too, and the digits alone, whose number
    ///   tells the type.
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

extension UInt8 {
    /// An ASCII hexadecimal digit.
    var isHexDigit: Bool { hexValue != nil }

    /// 0...15 for an ASCII hexadecimal digit.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
