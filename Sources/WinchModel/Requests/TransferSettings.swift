/// How one transfer is downloaded: the settings of the command line, changed by the options of its batch entry.
public struct TransferSettings: Hashable, Sendable, Codable {
    /// Request header lines, `Name: value`.
    public var headers: [String] = []
    /// The header field `Referer`; `nil`: none.
    public var referer: String?
    /// The header field `User-Agent`; `nil`: that of Winch.
    public var userAgent: String?
    /// The user name of the login; `nil`: that in the URL, if any.
    public var user: String?
    /// The password of the login. It is never written to a log or the ledger.
    public var password: String?
    /// The login is looked up in `~/.netrc`.
    public var usesNetrc = false
    /// A cookie file in Netscape's format.
    public var cookieFile: String?
    /// `host:port` or a URL; `nil`: the proxy of the environment, if any.
    public var proxy: String?
    /// CA certificates in PEM; `nil`: those of the system.
    public var caFile: String?
    /// Certificates and SSH host keys are not verified.
    public var isInsecure = false
    /// The certificate in PEM that a server may ask for; its private key is in `keyFile`, or in the same file.
    public var certificateFile: String?
    /// A private key for SFTP, instead of those of ssh_config and the default ones; with `certificateFile`, its key.
    public var keyFile: String?
    /// Fingerprints (`SHA256:...`) of SSH servers that are trusted, whatever known_hosts says.
    public var hostKeys: [String] = []
    /// Keys of unknown SSH servers are added to known_hosts without asking the user.
    public var acceptsNewHostKeys = false
    /// Redirects that are followed in one attempt, at most.
    public var maxRedirects = 20
    /// How long a connection may take to be open.
    public var connectTimeout: Duration = .seconds(15)
    /// Less than 1 KiB in this time counts as stalled.
    public var stallTimeout: Duration = .seconds(30)
    /// A connection that is slower than this for 30 s is replaced by a new one; `nil`: no lower bound.
    public var lowestSpeed: ByteRate?
    /// For the whole transfer over all attempts, pauses excluded; `nil`: no limit.
    public var maxTime: Duration?
    /// Attempts without progress before the transfer fails; 0: no limit.
    public var maxTries = 5
    /// The bound of the random wait before the second attempt; it doubles for each further one.
    public var retryWait: Duration = .seconds(1)
    /// `nil`: no limit but the transfer's share of the queue's.
    public var rateLimit: ByteRate?
    /// The most connections for one file.
    public var split = SplitLimit.auto
    /// No connection is opened for less than this.
    public var minSplitSize = ByteCount(bytes: 1 << 20)
    /// The expected digest of the file; `nil`: it is not verified, unless the server names one.
    public var checksum: Checksum?
    /// A larger file fails; `nil`: no limit.
    public var maxSize: ByteCount?
    /// Whether FTP servers are asked to encrypt.
    public var ftpTLS: FTPEncryption = .try
    /// Redirects from https to another scheme are followed.
    public var allowsDowngrade = false
    /// The hosts (`TransferURL.hostKey`) that get the login and cookies in `headers`; `nil`: every host of the transfer's URLs,
    /// which the user gave. Set when a server names mirrors.
    package var loginHosts: [String]?
    /// What to do when a different file has the name.
    public var onConflict: NameConflict = .rename
    /// What to do when the file at the server has changed since the part file was written.
    public var onChange: FileChange = .restart
    /// Whether disk space is reserved for a file whose size is known.
    public var fileAllocation: FileAllocation = .falloc

    /// What to do with a Metalink. The command follows them, the library saves them.
    public var metalink: MetalinkUse = .save

    /// The defaults.
    public init() {}
}

/// What to do when a different file with the name exists.
public enum NameConflict: String, Hashable, Sendable, Codable, CaseIterable {
    /// The new file gets a number before its extension: `disk (1).iso`.
    case rename
    /// The new file replaces the old one.
    case overwrite
    /// Nothing is downloaded; the transfer is finished as skipped.
    case skip
    /// The transfer fails with `.nameTaken`.
    case fail
}

/// What to do when the file at the server is no longer the one whose bytes are in the part file.
public enum FileChange: String, Hashable, Sendable, Codable, CaseIterable {
    /// The part file is discarded and the new file is downloaded.
    case restart
    /// The transfer fails with `.changed`, and the part file is kept.
    case fail
}

/// Whether disk space is reserved for a file before its bytes come.
public enum FileAllocation: String, Hashable, Sendable, Codable, CaseIterable {
    /// Space is taken as the bytes come.
    case none
    /// By fallocate, where the file system can do that.
    case falloc

    /// aria2's other words are understood: `prealloc` reserves space as well, `trunc` reserves none.
    package init?(reading text: some StringProtocol) {
        switch text {
        case "none", "trunc": self = .none
        case "falloc", "prealloc": self = .falloc
        default: return nil
        }
    }
}

/// Whether an FTP server is asked to encrypt, by AUTH TLS. `ftps` URLs are always encrypted.
public enum FTPEncryption: String, Hashable, Sendable, Codable, CaseIterable {
    /// If the server can.
    case `try`
    /// The transfer fails if the server cannot.
    case require
    /// It is not asked.
    case off
}

/// What to do when a server answers with a Metalink, a list of files.
public enum MetalinkUse: String, Hashable, Sendable, Codable {
    /// It is saved as any other file.
    case save
    /// The files that it names are downloaded instead.
    case follow
    /// The transfer fails, because another Metalink has named it.
    case refuse
}

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

extension UInt8 {
    /// An ASCII hexadecimal digit.
    package var isHexDigit: Bool { hexValue != nil }

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
