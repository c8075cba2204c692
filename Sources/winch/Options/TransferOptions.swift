import ArgumentParser
import Glibc
import WinchModel
import WinchTerminal

/// The options "Transfers": how a file is downloaded if its batch entry does not change them.
struct TransferOptions: OptionSection {
    @Option(
        name: .joined("s"),
        help: .helpText(
            "The most connections for one file, 1 to 16. More are opened only while they make it faster; auto: up to 8.",
            "N|auto", default: Standard.transfer.split.text),
        transform: OptionValueParsing.split)
    var split = Standard.transfer.split

    @Option(
        help: .helpText("A connection is opened for no less than this.", "SIZE", default: "1M"),
        transform: OptionValueParsing.size)
    var minSplitSize = Standard.transfer.minSplitSize

    @Option(
        help: .helpText(
            "Attempts without progress before a transfer fails; 0 is unlimited.", "N",
            default: Standard.transfer.maxTries),
        transform: OptionValueParsing.notNegative)
    var maxTries = Standard.transfer.maxTries

    @Option(
        help: .helpText(
            "Longest wait before the second attempt, in seconds; doubled after each, up to 60.", "S",
            default: Standard.transfer.retryWait),
        transform: OptionValueParsing.seconds)
    var retryWait = Standard.transfer.retryWait

    @Option(
        help: .helpText(
            "Seconds without 1 KiB of data after which a transfer counts as stalled.", "S",
            default: Standard.transfer.stallTimeout),
        transform: OptionValueParsing.positiveSeconds)
    var timeout = Standard.transfer.stallTimeout

    @Option(
        name: [.long, .customLong("lowest-speed-limit")],
        help: .helpText("Reconnect when a transfer is slower than this for 30 s.", "RATE", default: "none"),
        transform: OptionValueParsing.rate)
    var lowestSpeed: ByteRate?

    @Option(
        help: .helpText("Seconds to establish a connection.", "S", default: Standard.transfer.connectTimeout),
        transform: OptionValueParsing.positiveSeconds)
    var connectTimeout = Standard.transfer.connectTimeout

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

    @Option(
        name: [.long, .customLong("http-user")],
        help: ArgumentHelp("User name for servers that require a login.", valueName: "NAME")
    )
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
        parsing: .singleValue,
        help: ArgumentHelp(
            "Trust the SSH server that has this key, as ssh-keygen -l prints it (SHA256:...); repeatable.",
            valueName: "FINGERPRINT"),
        transform: OptionValueParsing.fingerprint)
    var hostKey: [String] = []

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Add the keys of unknown SSH servers to known_hosts without asking; a changed key is refused.")
    var acceptNewHostKeys = false

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Read logins from ~/.netrc.")
    var netrc = false

    @Option(
        name: [.long, .customLong("load-cookies")],
        help: ArgumentHelp("Cookie file in Netscape format.", valueName: "FILE"), completion: .file(),
        transform: OptionValueParsing.file)
    var cookies: String?

    @Option(
        name: [.long, .customLong("all-proxy")],
        help: ArgumentHelp(
            "The proxy; the default is http_proxy, https_proxy, all_proxy and no_proxy.", valueName: "URL"))
    var proxy: String?

    @Option(
        name: [.long, .customLong("ca-certificate")],
        help: ArgumentHelp("CA certificates to trust, in PEM.", valueName: "FILE"), completion: .file(),
        transform: OptionValueParsing.file)
    var cacert: String?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: """
            Trust any certificate and SSH host key. Anyone between you and the server can read and change your downloads.
            """)
    var insecure = false

    @Flag(help: "Follow redirects from https to http.")
    var allowDowngrade = false

    @Option(help: ArgumentHelp("Whether FTP servers are asked to encrypt (AUTH TLS).", valueName: "WAY"))
    var ftpTls = Standard.transfer.ftpTLS

    @Option(
        help: .helpText("Redirects to follow.", "N", default: Standard.transfer.maxRedirects),
        transform: OptionValueParsing.notNegative)
    var maxRedirs = Standard.transfer.maxRedirects

    static let traits: [String: Set<OptionTrait>] = [
        "header": [.secret], "user": [.secret], "password": [.secret], "proxy": [.secret],
    ]

    func validate() throws {
        for (option, file) in [("--cookies", cookies), ("--cacert", cacert), ("--cert", cert), ("--key", key)] {
            guard let file, access(file, R_OK) != 0 else { continue }
            throw ValidationError("\(option) \(PlainText(file)): \(String(cString: strerror(errno)))")
        }
    }

    func apply(to settings: inout TransferSettings) {
        settings.split = split
        settings.minSplitSize = minSplitSize
        settings.headers = header
        settings.referer = referer
        settings.userAgent = userAgent
        settings.user = user
        settings.password = password
        settings.usesNetrc = netrc
        settings.cookieFile = cookies
        settings.proxy = proxy
        settings.caFile = cacert
        settings.isInsecure = insecure
        settings.certificateFile = cert
        settings.keyFile = key
        settings.hostKeys = hostKey
        settings.acceptsNewHostKeys = acceptNewHostKeys
        settings.maxRedirects = maxRedirs
        settings.connectTimeout = connectTimeout
        settings.stallTimeout = timeout
        settings.lowestSpeed = lowestSpeed.flatMap { $0 > .zero ? $0 : nil }
        settings.maxTime = maxTime
        settings.maxTries = maxTries
        settings.retryWait = retryWait
        settings.allowsDowngrade = allowDowngrade
        settings.ftpTLS = ftpTls
    }
}
