public import ArgumentParser
public import WinchModel

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
