import ArgumentParser
import Glibc
import WinchModel
import WinchTerminal

/// The options "Transfers": how a file is downloaded if its batch entry does not change them. Each is declared in the file of
/// its subject: connections of one file, retries, timeouts, request headers, login, and proxy, TLS and redirects.
struct TransferOptions: OptionSection {
    @OptionGroup var splitting: SplitOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var timeouts: TimeoutOptions
    @OptionGroup var headers: RequestHeaderOptions
    @OptionGroup var login: LoginOptions
    @OptionGroup var connections: ProxyTLSRedirectOptions

    static let traits: [String: Set<OptionTrait>] = [
        "header": [.secret], "user": [.secret], "password": [.secret], "proxy": [.secret],
    ]

    func validate() throws {
        let files = [
            ("--cookies", login.cookies), ("--cacert", connections.cacert), ("--cert", login.cert),
            ("--key", login.key),
        ]
        for (option, file) in files {
            guard let file, access(file.cBytes, R_OK) != 0 else { continue }
            throw ValidationError("\(option) \(PlainText(file)): \(String(cString: strerror(errno)))")
        }
        if let file = login.cookies, Self.isJSON(file) {
            throw ValidationError(
                "--cookies \(PlainText(file)): JSON, and no Netscape cookie file; export the cookies as cookies.txt")
        }
    }

    /// libcurl takes such a file for one without cookies. A FIFO is not looked into: its bytes come once.
    private static func isJSON(_ file: String) -> Bool {
        var status = stat()
        guard stat(file.cBytes, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let descriptor = open(file.cBytes, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        let first = bytes.prefix(max(0, count)).first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    func apply(to settings: inout TransferSettings) {
        splitting.apply(to: &settings)
        retries.apply(to: &settings)
        timeouts.apply(to: &settings)
        headers.apply(to: &settings)
        login.apply(to: &settings)
        connections.apply(to: &settings)
    }
}
