public import ArgumentParser
import Glibc
import WinchBatch
public import WinchModel
import WinchTerminal
import WinchTransport

/// The options "Transfers": how a file is downloaded if its batch entry does not change them. Those about logins, and about proxy,
/// encryption and redirects, are declared in files of their own.
struct TransferOptions: OptionSection {
    @Option(
        name: .joined("s"),
        help: .helpText(
            "The most connections for one file, 1 to 16. More are opened only while they make it faster; auto: up to 8.",
            "N|auto", default: OptionDefaults.transfer.split.text),
        transform: OptionValueParsing.split)
    var split = OptionDefaults.transfer.split

    @Option(
        help: .helpText("Least bytes of a connection's request, unless less is missing.", "SIZE", default: "1M"),
        transform: OptionValueParsing.size)
    var minSplitSize = OptionDefaults.transfer.minSplitSize

    @Option(
        help: .helpText(
            "Attempts without progress before a transfer fails; 0 is unlimited.", "N",
            default: OptionDefaults.transfer.maxTries),
        transform: OptionValueParsing.notNegative)
    var maxTries = OptionDefaults.transfer.maxTries

    @Option(
        help: .helpText(
            "Longest wait before the second attempt, in seconds; doubled after each, up to 60.", "S",
            default: OptionDefaults.transfer.retryWait),
        transform: OptionValueParsing.seconds)
    var retryWait = OptionDefaults.transfer.retryWait

    @Option(
        help: .helpText(
            "Seconds without 1 KiB of data after which a transfer counts as stalled.", "S",
            default: OptionDefaults.transfer.stallTimeout),
        transform: OptionValueParsing.positiveSeconds)
    var timeout = OptionDefaults.transfer.stallTimeout

    @Option(
        name: [.long, .customLong("lowest-speed-limit")],
        help: .helpText("Reconnect when a transfer is slower than this for 30 s.", "RATE", default: "none"),
        transform: OptionValueParsing.rate)
    var lowestSpeed: ByteRate?

    @Option(
        help: .helpText("Seconds to establish a connection.", "S", default: OptionDefaults.transfer.connectTimeout),
        transform: OptionValueParsing.positiveSeconds)
    var connectTimeout = OptionDefaults.transfer.connectTimeout

    @Option(
        help: .helpText("Seconds for a whole transfer, pauses excluded.", "S", default: "none"),
        transform: OptionValueParsing.positiveSeconds)
    var maxTime: Duration?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A request header, 'Name: value'; repeatable.", valueName: "LINE"),
        transform: OptionValueParsing.header)
    var header: [String] = []

    @Option(help: ArgumentHelp("The User-Agent header.", valueName: "TEXT"), transform: OptionValueParsing.line)
    var userAgent: String?

    @Option(help: ArgumentHelp("The Referer header.", valueName: "URL"), transform: OptionValueParsing.line)
    var referer: String?

    @OptionGroup var login: LoginOptions
    @OptionGroup var connections: ProxyTLSRedirectOptions

    static let traits: [OptionTrait: [String]] = [
        .secret: ["header", "user", "password", "proxy"],
        .decisive: [
            "header", "user", "password", "proxy", "cert", "key", "host-key", "cacert", "ftp-tls", "insecure",
            "allow-downgrade", "accept-new-host-keys",
        ],
    ]

    func validate() throws {
        let files = [
            ("--cookies", login.cookies), ("--cacert", connections.cacert), ("--cert", login.cert),
            ("--key", login.key),
        ]
        for (option, file) in files {
            guard let file else { continue }
            guard access(file.cBytes, R_OK) == 0 else {
                throw ValidationError("\(option) \(PlainText(file)): \(String(cString: strerror(errno)))")
            }
            try Self.check(file, of: option)
        }
        if let file = login.netrcFile { try Self.check(file, of: "--netrc") }
        if let file = login.cookies, let fault = login.cookieFile?.fault {
            throw ValidationError("--cookies \(PlainText(file)): \(fault)")
        }
    }

    private static func check(_ file: String, of option: String) throws {
        guard let fault = ReopenedFile.fault(file) else { return }
        throw ValidationError("\(option) \(PlainText(file)): \(fault)")
    }

    func apply(to settings: inout TransferSettings) {
        settings.split = split
        settings.minSplitSize = minSplitSize
        settings.maxTries = maxTries
        settings.retryWait = retryWait
        settings.connectTimeout = connectTimeout
        settings.stallTimeout = timeout
        settings.lowestSpeed = lowestSpeed.flatMap { $0 > .zero ? $0 : nil }
        settings.maxTime = maxTime
        settings.headers = header
        settings.referer = referer
        settings.userAgent = userAgent
        login.apply(to: &settings)
        connections.apply(to: &settings)
    }
}

/// The options about proxy, encryption and redirects, part of `TransferOptions`.
struct ProxyTLSRedirectOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("all-proxy")],
        help: .helpText("The proxy; the default is http_proxy, https_proxy, all_proxy and no_proxy.", "URL"),
        transform: OptionValueParsing.proxy)
    var proxy: String?

    @Option(
        name: [.long, .customLong("ca-certificate")], help: .helpText("CA certificates to trust, in PEM.", "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var cacert: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Trust any certificate and SSH host key. Anyone between you and the server can read and change your downloads.
            """)
    var insecure = false

    @Flag(help: "Follow redirects from https to http.")
    var allowDowngrade = false

    @Option(help: .helpText("Whether FTP servers are asked to encrypt (AUTH TLS).", "WAY"))
    var ftpTls = OptionDefaults.transfer.ftpTLS

    @Option(
        help: .helpText("Redirects to follow.", "N", default: OptionDefaults.transfer.maxRedirects),
        transform: OptionValueParsing.notNegative)
    var maxRedirs = OptionDefaults.transfer.maxRedirects

    func apply(to settings: inout TransferSettings) {
        settings.proxy = proxy
        settings.caFile = cacert
        settings.isInsecure = insecure
        settings.allowsDowngrade = allowDowngrade
        settings.ftpTLS = ftpTls
        settings.maxRedirects = maxRedirs
    }
}

extension FTPEncryption: ExpressibleByArgument {}

/// The options about logins: names, passwords, certificates, keys and cookies, part of `TransferOptions`.
struct LoginOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("http-user")],
        help: ArgumentHelp("User name for servers that require a login.", valueName: "NAME"),
        transform: OptionValueParsing.userName)
    var user: String?

    @Option(
        name: [.long, .customLong("http-passwd")], help: ArgumentHelp("Password for the login.", valueName: "TEXT"))
    var password: String?

    @Option(
        name: [.long, .customLong("certificate")],
        help: ArgumentHelp(
            "The certificate that a server asks for, in PEM, with its private key unless --key has it.",
            valueName: "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var cert: String?

    @Option(
        help: ArgumentHelp(
            "A private key for --cert, or for SFTP; without it SFTP uses those of ~/.ssh/config, ~/.ssh/id_* and the agent.",
            valueName: "FILE"),
        completion: .file(), transform: OptionValueParsing.file)
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Trust the SSH server that has this key, as ssh-keygen -l prints it (SHA256:...); repeatable.",
            valueName: "FINGERPRINT"),
        transform: OptionValueParsing.fingerprint)
    var hostKey: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Add the keys of unknown SSH servers to known_hosts without asking; a changed key is refused.")
    var acceptNewHostKeys = false

    @Flag(inversion: .prefixedNo, help: "Read logins from ~/.netrc.")
    var netrc = false

    /// The file that libcurl reads, if there is one; `nil`: none.
    var netrcFile: String? { netrc ? (try? HomeFolders.system.expanded("~/.netrc")) : nil }

    @Option(
        name: [.long, .customLong("load-cookies")],
        help: ArgumentHelp("Cookie file in Netscape format.", valueName: "FILE"), completion: .file(),
        transform: OptionValueParsing.file)
    var cookies: String?

    /// What is in it; `nil`: there is none, or it is no file of a usual size. A FIFO is not looked into: its bytes come once.
    var cookieFile: CookieFile? {
        guard let cookies, let status = FileStatus.of(cookies), status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= Self.largestCookieFile
        else { return nil }
        let descriptor = open(cookies.cBytes, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = read(descriptor, &bytes, bytes.count)
        return CookieFile(Array(bytes.prefix(max(0, count))))
    }

    /// 16 MiB, in bytes; a browser keeps a few thousand cookies.
    private static let largestCookieFile: off_t = 16 << 20

    func apply(to settings: inout TransferSettings) {
        settings.user = user
        settings.password = password
        settings.usesNetrc = netrc
        settings.cookieFile = cookies
        settings.certificateFile = cert
        settings.keyFile = key
        settings.hostKeys = hostKey
        settings.acceptsNewHostKeys = acceptNewHostKeys
    }
}
