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
    /// The password of the login. It is never written to a log; the ledger (mode 0600) keeps it until the transfer has finished.
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
    /// Less than 1 KiB in this time counts as stalled; nothing but interim answers does in ten times as long.
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
    /// The key of the list of `--sums` that has the digest of a file whose name comes from its server; `nil`: there is none.
    package var sums: String?
    /// Of a finished transfer, with which neither a user nor header lines are stored: its `accountMark(at:)`. `nil`: it had neither.
    package var account: UInt16?
    /// A larger file fails; `nil`: no limit.
    public var maxSize: ByteCount?
    /// Whether FTP servers are asked to encrypt.
    public var ftpTLS: FTPEncryption = .try
    /// Redirects from https to another scheme are followed.
    public var allowsDowngrade = false
    /// The origins (`TransferURL.origin`) that get the secrets (`sent(to:)`); `nil`: those of the transfer's URLs, which the user
    /// gave. Set when a server names mirrors.
    package var loginOrigins: [String]?
    /// The login was typed during the run, so that it belongs on the screen only; `nil`, which is what is stored: it was not. Set
    /// only by `loggingIn`, for requests.
    package internal(set) var isLoginTyped: Bool?
    /// What to do when a different file has the name.
    public var onConflict: NameConflict = .rename
    /// What to do when the file at the server has changed since the part file was written.
    public var onChange: FileChange = .restart
    /// Whether disk space is reserved for a file whose size is known.
    public var fileAllocation: FileAllocation = .falloc

    /// A file gets the time that its server names, where a folder is downloaded whole. `nil`, which is what is stored: it does.
    package var keepsTimes: Bool?

    /// What to do with a Metalink. The command follows them, the library saves them.
    public var metalink: MetalinkUse = .save

    /// Run when the transfer has finished; `nil`: nothing.
    package var onDone: HookCommand?
    /// Run when the transfer has failed for good; `nil`: nothing.
    package var onFail: HookCommand?

    public init() {}
}

/// The most connections for one file.
public enum SplitLimit: Hashable, Sendable, Codable {
    /// As many as help, up to eight.
    case auto
    /// At least 1; as many as help, and no more than this.
    case atMost(Int)

    /// The largest number that is accepted: servers ban clients for more.
    public static let most = 16

    /// The user named a number.
    package var isNamed: Bool { self != .auto }

    /// The bound as a number.
    package var connections: Int {
        switch self {
        case .auto: 8
        case .atMost(let count): min(Self.most, max(1, count))
        }
    }

    /// As `--split` takes it.
    package var text: String {
        switch self {
        case .auto: "auto"
        case .atMost(let count): "\(count)"
        }
    }

    /// - Parameter text: `auto`, or a number from 1 to 16.
    package init(reading text: some StringProtocol) throws(InvalidValue) {
        if text.lowercased() == "auto" {
            self = .auto
        } else if let count = Int(text), (1...Self.most).contains(count) {
            self = .atMost(count)
        } else {
            throw InvalidValue("\(text.quoted) is not a number of connections; use auto, or 1 to \(Self.most)")
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

/// What to do when the file at the server is no longer the one whose bytes are in the part file.
public enum FileChange: String, Hashable, Sendable, Codable, CaseIterable {
    /// The part file is discarded and the new file is downloaded.
    case restart
    /// The transfer fails with `.changed`, and the part file is kept.
    case fail
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

extension NameConflict {
    /// The meaning of aria2's `allow-overwrite` and `auto-file-renaming`; `nil`: neither is given.
    ///
    /// - Source: aria2c(1): a file is renamed or refused only if it may not be overwritten.
    package init?(allowsOverwrite: Bool?, renames: Bool?) {
        guard allowsOverwrite != nil || renames != nil else { return nil }
        self = allowsOverwrite == true ? .overwrite : renames == false ? .fail : .rename
    }
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
