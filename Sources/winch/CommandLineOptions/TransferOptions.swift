import ArgumentParser
import Glibc
import WinchBatch
import WinchModel
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

    static let traits: [OptionTrait: [String]] = [.secret: ["header", "user", "password", "proxy"]]

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
