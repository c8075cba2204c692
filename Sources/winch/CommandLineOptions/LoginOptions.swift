import ArgumentParser
import Glibc
import WinchBatch
import WinchModel

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
