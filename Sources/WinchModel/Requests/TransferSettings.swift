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
    package private(set) var isLoginTyped: Bool?
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

/// Which origins (scheme, host and port) get what the user has entrusted to Winch: the login, the client certificate, header
/// lines and the logins of `~/.netrc`.
///
/// `sent(to:)` decides for every request. It is asked with the URLs of a transfer, the addresses of redirects, of tus uploads,
/// and of mirrors and Metalinks that servers name.
extension Shared where Value == TransferSettings {
    /// The settings for a request to a URL: without secrets where its origin does not get them.
    ///
    /// Cookies of the cookie file stay: they name their own hosts. So does the proxy, which is the user's own.
    package func sent(to url: TransferURL) -> Shared {
        guard let origins = value.loginOrigins, !origins.contains(url.origin), value.hasSecrets else { return self }
        return Shared(value.withoutSecrets(isEncrypted: url.isEncrypted))
    }

    /// The same for an address that the answer to a request has named.
    ///
    /// - Parameter start: the URL of the request, which gets the secrets that these settings have.
    package func sent(to url: TransferURL, namedBy start: TransferURL) -> Shared {
        keepingLogin(at: CollectionOfOne(start)).sent(to: url)
    }

    /// The user gives a further URL: its origin gets the secrets as well.
    package func givingLogin(to url: TransferURL) -> Shared {
        guard let origins = value.loginOrigins, !origins.contains(url.origin) else { return self }
        var settings = value
        settings.loginOrigins = (origins + [url.origin]).sorted()
        return Shared(settings)
    }

    /// The same with a login that the user gave for the origin of a URL, which alone gets it and the other secrets.
    package func loggingIn(_ user: String, _ password: Secret, at url: TransferURL) -> Shared {
        Shared(value.loggingIn(user, password, at: url))
    }

    /// Settings whose secrets go only to the origins of these URLs, which the user gave; the same object when that is so
    /// already, or when there are none.
    package func keepingLogin(at urls: some Collection<TransferURL>) -> Shared {
        guard value.hasSecrets, value.loginOrigins == nil else { return self }
        var settings = value
        settings.loginOrigins = Set(urls.map(\.origin)).sorted()
        return Shared(settings)
    }
}

extension TransferSettings {
    fileprivate var hasSecrets: Bool {
        user != nil || password != nil || certificateFile != nil || usesNetrc
            || headers.contains { !Self.isHarmless($0) }
    }

    /// What may be sent to any origin.
    ///
    /// - Parameter isEncrypted: the user has named a host of `~/.netrc`, but no scheme: its login goes to that host, and not in
    ///   clear text.
    fileprivate func withoutSecrets(isEncrypted: Bool) -> TransferSettings {
        var settings = self
        (settings.user, settings.password, settings.certificateFile) = (nil, nil, nil)
        settings.isLoginTyped = nil
        settings.usesNetrc = usesNetrc && isEncrypted
        settings.headers.removeAll { !Self.isHarmless($0) }
        return settings
    }

    fileprivate func loggingIn(_ user: String, _ password: Secret, at url: TransferURL) -> TransferSettings {
        var settings = self
        (settings.user, settings.password, settings.usesNetrc) = (user, password.text, false)
        settings.headers.removeAll { Self.name($0) == "authorization" }
        settings.loginOrigins = [url.origin]
        settings.isLoginTyped = true
        return settings
    }

    /// Whether a header line says only what kind of answer is wanted. Any other may be a credential.
    private static func isHarmless(_ line: String) -> Bool { harmless.contains(name(line)) }

    private static let harmless: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "dnt", "pragma", "priority",
        "te", "upgrade-insecure-requests", "user-agent",
    ]

    private static func name(_ line: String) -> String {
        line.prefix { $0 != ":" && $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// The user has given a line `Cookie`.
    package var hasCookieLine: Bool { headers.contains { Self.name($0) == "cookie" } }

    /// The user has given a line `Accept-Encoding`.
    package var hasAcceptEncodingLine: Bool { headers.contains { Self.name($0) == "accept-encoding" } }

    /// Whether a request to a URL has a user name. What `~/.netrc` says is known to libcurl only.
    package func hasUser(at url: TransferURL) -> Bool { user != nil || url.login != nil || usesNetrc }

    /// The user name that a request to a URL sends; `nil`: none, or one of `~/.netrc`.
    package func userName(at url: TransferURL) -> String? { url.login?.user ?? user }

    /// The same for a failure, which is stored and logged: `nil` also for a name that was typed.
    package func recordedUserName(at url: TransferURL) -> String? { isLoginTyped == true ? nil : userName(at: url) }

    /// A server's words, for people: a password, and a user name that was typed, are `***` where the server repeats them. The
    /// logins of `~/.netrc` are known to libcurl only, and stay.
    package func withoutLogin(_ words: String, at url: TransferURL) -> String {
        [password, url.login?.password, isLoginTyped == true ? user : nil]
            .compactMap { $0 }.filter { !$0.isEmpty }
            // One may be a part of another.
            .sorted { $0.utf8.count > $1.utf8.count }
            .reduce(words) { $0.replacing($1, with: "***") }
    }

    /// Whether a request to a URL says who sends it, as far as the user has given that.
    package func hasLogin(at url: TransferURL) -> Bool {
        user != nil || url.login != nil || hasAuthorizationLine
    }

    /// The user has given a line `Authorization`.
    package var hasAuthorizationLine: Bool { headers.contains { Self.name($0) == "authorization" } }
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

/// What to do when a server answers with a Metalink, a list of files.
public enum MetalinkUse: String, Hashable, Sendable, Codable {
    /// It is saved as any other file.
    case save
    /// The files that it names are downloaded instead.
    case follow
    /// The transfer fails, because another Metalink has named it.
    case refuse
}
