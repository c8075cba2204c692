import ArgumentParser
import WinchCore

/// How each transfer is fetched unless its batch entry says otherwise.
struct TransferArguments: ParsableArguments {
    @Option(
        name: .joined("s"),
        help: .said("Connections for each file; more than one has no effect so far.", "N", default: 1),
        transform: Reading.atLeastOne)
    var split = 1

    @Option(
        help: .said(
            "Attempts without progress before a transfer fails; 0: without end.", "N",
            default: Standard.transfer.maxTries),
        transform: Reading.notNegative)
    var maxTries = Standard.transfer.maxTries

    @Option(
        help: .said(
            "Seconds at most before the second attempt; doubled after that, up to 60.", "S",
            default: Standard.transfer.retryWait),
        transform: Reading.seconds)
    var retryWait = Standard.transfer.retryWait

    @Option(
        help: .said(
            "Seconds in which less than 1 KiB counts as stalled.", "S", default: Standard.transfer.stallTimeout),
        transform: Reading.positiveSeconds)
    var timeout = Standard.transfer.stallTimeout

    @Option(
        name: [.long, .customLong("lowest-speed-limit")],
        help: .said("Bytes a second below which, for 30 s, a connection is begun anew.", "RATE", default: "none"),
        transform: Reading.rate)
    var lowestSpeed: ByteRate?

    @Option(
        help: .said("Seconds for a connection to be made.", "S", default: Standard.transfer.connectTimeout),
        transform: Reading.positiveSeconds)
    var connectTimeout = Standard.transfer.connectTimeout

    @Option(
        help: .said("Seconds for a whole transfer, pauses left out.", "S", default: "none"),
        transform: Reading.positiveSeconds)
    var maxTime: Duration?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A request header, 'Name: value'; repeatable.", valueName: "LINE"),
        transform: Reading.header)
    var header: [String] = []

    @Option(help: ArgumentHelp("What Winch calls itself.", valueName: "TEXT"), transform: Reading.line)
    var userAgent: String?

    @Option(help: ArgumentHelp("The page that one comes from.", valueName: "URL"), transform: Reading.line)
    var referer: String?

    @Option(
        name: [.long, .customLong("http-user")], help: ArgumentHelp("For servers that want a login.", valueName: "NAME")
    )
    var user: String?

    @Option(name: [.long, .customLong("http-passwd")], help: ArgumentHelp("The login's password.", valueName: "TEXT"))
    var password: String?

    @Option(
        help: ArgumentHelp(
            "A private key for SFTP; without it those of ~/.ssh/config, ~/.ssh/id_* and the agent.", valueName: "FILE"),
        completion: .file(), transform: Reading.file)
    var key: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Trust the SSH server that has this key, as ssh-keygen -l prints it (SHA256:...); repeatable.",
            valueName: "FINGERPRINT"),
        transform: Reading.fingerprint)
    var hostKey: [String] = []

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Add the keys of unknown SSH servers to known_hosts without a question; a changed key is refused.")
    var acceptNewHostKeys = false

    @Flag(inversion: .prefixedNo, exclusivity: .chooseLast, help: "Take logins from ~/.netrc.")
    var netrc = false

    @Option(
        name: [.long, .customLong("load-cookies")],
        help: ArgumentHelp("Cookies in Netscape's format.", valueName: "FILE"), completion: .file(), transform: Reading.file)
    var cookies: String?

    @Option(
        name: [.long, .customLong("all-proxy")],
        help: ArgumentHelp(
            "The proxy; without it http_proxy, https_proxy, all_proxy and no_proxy hold.", valueName: "URL"))
    var proxy: String?

    @Option(
        name: [.long, .customLong("ca-certificate")],
        help: ArgumentHelp("Certificates to trust, in PEM.", valueName: "FILE"), completion: .file(), transform: Reading.file)
    var cacert: String?

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Trust any certificate. Anybody on the way can read and change what you fetch.")
    var insecure = false

    @Flag(help: "Follow redirects that lead from https to http.")
    var allowDowngrade = false

    @Option(
        help: .said("Redirects followed.", "N", default: Standard.transfer.maxRedirects),
        transform: Reading.notNegative)
    var maxRedirs = Standard.transfer.maxRedirects
}
