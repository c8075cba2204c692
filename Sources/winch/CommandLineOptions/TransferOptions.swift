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
            guard let file, access(file, R_OK) != 0 else { continue }
            throw ValidationError("\(option) \(PlainText(file)): \(String(cString: strerror(errno)))")
        }
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
