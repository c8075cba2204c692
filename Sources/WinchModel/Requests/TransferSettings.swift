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
    /// The origins (`TransferURL.origin`) that get the secrets (`sent(to:)`); `nil`: those of the transfer's URLs, which the user
    /// gave. Set when a server names mirrors.
    package var loginOrigins: [String]?
    /// What to do when a different file has the name.
    public var onConflict: NameConflict = .rename
    /// What to do when the file at the server has changed since the part file was written.
    public var onChange: FileChange = .restart
    /// Whether disk space is reserved for a file whose size is known.
    public var fileAllocation: FileAllocation = .falloc

    /// What to do with a Metalink. The command follows them, the library saves them.
    public var metalink: MetalinkUse = .save

    /// Run when the transfer has finished; `nil`: nothing.
    package var onDone: HookCommand?
    /// Run when the transfer has failed for good; `nil`: nothing.
    package var onFail: HookCommand?

    /// The defaults.
    public init() {}
}
