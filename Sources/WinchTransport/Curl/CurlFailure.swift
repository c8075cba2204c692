import Glibc
import WinchModel

/// How an attempt ended inside libcurl, with the facts that `TransferFailure` needs.
struct CurlFailure {
    var code: CurlCode
    /// libcurl's words; may be empty.
    var words: String
    /// `errno` of the connection; 0 when there is none.
    var systemError: Int32 = 0
    /// The proxy's answer to CONNECT; 0 when there was none.
    var proxyStatus = 0
    var host: String
    var scheme = TransferURL.Scheme.http
    /// On an FTP or SFTP server, for messages.
    var path = ""
    /// The proxy that was to be used, as the user gave it; may have a login in it.
    var proxy: String?
    var connectTimeout: Duration = .zero
    var maxRedirects = 0
    /// Where the last redirect led; `nil` when there was none.
    var location: String?
    /// The request went out.
    var isRequested = false
    /// The body had begun.
    var isOpen = false
    var have = ByteCount.zero
    var expected: ByteCount?

    /// The table: libcurl's code to Winch's failure.
    var transferFailure: TransferFailure {
        if let fault = httpFault { return .badResponse(fault) }
        return switch code {
        case .hostNotFound: .hostNotFound(host)
        case .proxyNotFound: .proxy(reason)
        case .couldNotConnect where systemError == EHOSTUNREACH || systemError == ENETDOWN:
            .networkDown(host: host, reason: systemReason)
        case .couldNotConnect where unreachableProxy != nil:
            .proxy("cannot connect to \(unreachableProxy ?? ""): \(systemReason)")
        case .couldNotConnect: .unreachable(host: host, reason: systemReason)
        case .timedOut:
            isRequested
                ? .connectionLost(reason) : .connectTimeout(host: host, seconds: connectTimeout.seconds)
        case .proxy: .proxy(reason)
        case .receiveError where proxyStatus == 407: .httpStatus(407)
        case .receiveError where proxyStatus >= 300: .proxy("status \(proxyStatus)")
        case .partialFile: .cutShort(have: have, expected: expected)
        case .receiveError where isOpen && systemError != ECONNRESET: .cutShort(have: have, expected: expected)
        // While a request went out that must not be made twice.
        case .rewindFailed: .connectionLost("the server closed the kept connection")
        case .receiveError, .sendError, .gotNothing, .http2, .http2Stream, .tlsShutdownFailed:
            .connectionLost(systemError == 0 ? reason : systemReason)
        case .tlsConnect where isAnsweredInClear: .tls("no TLS on that port of \(host); is it http://?")
        case .tlsConnect where systemError != 0: .unreachable(host: host, reason: systemReason)
        case .peerNotVerified, .tlsIssuer, .pinnedKey, .tlsStatus:
            .untrusted(CertificateWords.clear(reason, host: host))
        case .tlsConnect, .tlsCertificateProblem, .tlsCipher, .caFileBad, .tlsCRL: .tls(reason)
        case .tooManyRedirects: .tooManyRedirects(maxRedirects)
        case .unsupportedProtocol, .malformedURL:
            location.map { .redirectRefused(TransferURL.redacted($0)) } ?? .other(reason)
        case .weirdReply, .badContentEncoding, .rangeError, .badResume: .badResponse(reason)
        case .loginDenied: .loginRefused(service: scheme.rawValue.uppercased(), details: nil)
        case .accessDenied: .remoteFile(scheme == .sftp ? .denied : .missingOrDenied, path: path)
        case .remoteFileNotFound: .remoteFile(scheme == .sftp ? .missing : .missingOrDenied, path: path)
        default: .other(reason)
        }
    }

    private var reason: String { words.isEmpty ? "libcurl error \(code.rawValue)" : words }

    /// The proxy, without a login, that could not be reached; `nil`: it was the server.
    ///
    /// A proxy of the environment is known to libcurl only, whose words name the host and port that it tried.
    private var unreachableProxy: String? {
        let given = proxy?.split(separator: "@").last.map(String.init)
        let words = words.split(separator: " ")
        guard scheme == .http || scheme == .https, self.words.hasPrefix("Failed to connect to "), words.count > 6,
            words[5] == "port", let port = Int(words[6])
        else { return given }
        let tried = words[4].contains(":") ? "[\(words[4])]" : String(words[4])
        guard let url = try? TransferURL("\(scheme.rawValue)://\(tried):\(port)"), url.hostKey != host else {
            return nil
        }
        return given ?? "\(tried):\(port)"
    }

    /// What the server sent is no TLS.
    ///
    /// - Source: the words of OpenSSL 3 and of GnuTLS.
    private var isAnsweredInClear: Bool {
        ["wrong version number", "packet length too long", "http request", "unexpected TLS packet"]
            .contains { words.contains($0) }
    }

    /// The host alone of `http://user:password@host:port`.
    static func proxyName(_ proxy: String) -> String {
        let rest = proxy.firstRange(of: "://").map { proxy[$0.upperBound...] } ?? proxy[...]
        return (try? TransferURL("http://" + rest).host) ?? String(rest)
    }

    private var systemReason: String {
        systemError == 0 ? reason : ErrnoFailure.words(systemError)
    }
}
