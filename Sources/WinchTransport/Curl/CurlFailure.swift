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
    /// The user name that was sent; `nil`: none, or one that was typed.
    var user: String?
    var isLoginTyped = false
    /// The last refusal of an FTP server, its code first; `nil`: none.
    var reply: String?
    /// The server, or its proxy, has accepted the connection.
    var isConnected = false
    var isRequested = false
    var isOpen = false
    var have = ByteCount.zero
    var expected: ByteCount?

    var transferFailure: TransferFailure {
        if let fault = httpFault { return .badResponse(fault) }
        if wantsCertificate { return .tls("\(host) asks for a client certificate that it accepts (--cert FILE)") }
        return switch code {
        case .hostNotFound: .hostNotFound(host)
        case .proxyNotFound: .proxy(reason)
        case .couldNotConnect where systemError == EHOSTUNREACH || systemError == ENETDOWN:
            .networkDown(host: host, reason: systemReason)
        case .couldNotConnect where unreachableProxy != nil:
            .proxy("cannot connect to \(unreachableProxy ?? ""): \(systemReason)")
        case .couldNotConnect: .unreachable(host: host, reason: systemReason)
        // libcurl takes 421, after which the server closes the connection, for the end of an idle session.
        case .timedOut where refuses("421"): .connectionLost(reply ?? reason)
        case .timedOut:
            isRequested
                ? .connectionLost(reason)
                : .connectTimeout(
                    host: host, seconds: connectTimeout.seconds, isInLogin: isStuckInLogin ? true : nil)
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
        case .tlsCertificateProblem where says("private key file"):
            .tls("\(reason): it is not the certificate's key, or has a passphrase, which openssl pkey removes")
        case .tlsConnect, .tlsCertificateProblem, .tlsCipher, .caFileBad, .tlsCRL: .tls(reason)
        case .tlsNotOffered where scheme == .ftps: .tls("\(host) sends its files unencrypted (as ftp:// does)")
        case .tlsNotOffered: .tls("\(host) does not offer it by FTP (--ftp-tls try goes on without)")
        case .tooManyRedirects: .tooManyRedirects(maxRedirects)
        case .unsupportedProtocol, .malformedURL:
            location.map { .redirectRefused(TransferURL.redacted($0)) } ?? .other(reason)
        case .weirdReply, .badContentEncoding, .rangeError, .badResume: .badResponse(reason)
        case .loginDenied where user == nil && !isLoginTyped && scheme != .sftp:
            .loginNeeded(origin: "\(scheme.rawValue)://\(host)")
        case .loginDenied: .loginRefused(origin: "\(scheme.rawValue)://\(host)", user: user, details: nil)
        // RFC 959, section 4.2: a reply that begins with 4 is about the moment: 450 and 451 about the file, 425 about its data
        // connection.
        case .accessDenied where refuses("4"), .passiveRefused where refuses("4"), .retrieveRefused where refuses("4"):
            .remoteFile(.busy, path: path)
        case .accessDenied: .remoteFile(scheme == .sftp ? .denied : .missingOrDenied, path: path)
        case .remoteFileNotFound: .remoteFile(scheme == .sftp ? .missing : .missingOrDenied, path: path)
        default: .other(reason)
        }
    }

    /// With a proxy it is not known how far it came.
    private var isStuckInLogin: Bool { isConnected && !scheme.isHTTP && proxy == nil }

    private func refuses(_ digits: String) -> Bool { reply?.hasPrefix(digits) ?? false }

    /// libcurl shows the URL of a proxy that it cannot use, also one of the environment, with its login.
    private var reason: String {
        if says("Unsupported proxy scheme") {
            return "the proxy's URL has an \(ProxyAddress.unknownScheme)"
        }
        if says("Unsupported proxy") { return "the proxy's URL is malformed; \(ProxyAddress.form)" }
        return words.isEmpty ? "libcurl error \(code.rawValue)" : TransferURL.withoutLogins(words)
    }

    /// The proxy, without a login, that could not be reached; `nil`: it was the server.
    ///
    /// A proxy of the environment is known to libcurl only, whose words name the host and port that it tried.
    private var unreachableProxy: String? {
        let given = proxy?.split(separator: "@").last.map(String.init)
        let words = words.split(separator: " ")
        guard scheme.isHTTP, self.words.hasPrefix("Failed to connect to "), words.count > 6,
            words[5] == "port", let port = Int(words[6])
        else { return given }
        let tried = words[4].contains(":") ? "[\(words[4])]" : String(words[4])
        guard let url = try? TransferURL("\(scheme.rawValue)://\(tried):\(port)"), url.hostAndPort != host else {
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

    /// The server refuses the client's certificate, or that it has none: by TLS 1.3 when the handshake is over for libcurl.
    ///
    /// - Source: the words of OpenSSL 3, in which an "alert" is the server's. "handshake failure", with which most servers end
    ///   TLS 1.2, may also mean that no cipher suits both.
    private var wantsCertificate: Bool {
        let causes = [
            "certificate required", "bad certificate", "unsupported certificate", "certificate revoked",
            "certificate expired", "certificate unknown", "unknown ca",
        ]
        return [.tlsConnect, .receiveError, .sendError].contains(code) && causes.contains { says("alert " + $0) }
    }

    /// The host alone of `http://user:password@host:port`.
    static func proxyName(_ proxy: String) -> String {
        let address = proxy.firstRange(of: "://").map { proxy[$0.upperBound...] } ?? proxy[...]
        let rest = address.lastIndex(of: "@").map { address[address.index(after: $0)...] } ?? address
        return (try? TransferURL("http://" + rest).host) ?? String(rest)
    }

    private var systemReason: String {
        systemError == 0 ? reason : ErrnoFailure.words(systemError)
    }
}

/// Answers that break HTTP; libcurl reports them by codes that mean something else for other protocols.
extension CurlFailure {
    /// What is wrong with the answer; `nil` when the failure is of another kind.
    ///
    /// - Source: lib/http.c and lib/http_chunks.c of libcurl 7.88.
    var httpFault: String? {
        guard scheme.isHTTP else { return nil }
        return switch code {
        case .unsupportedProtocol where says("HTTP/0.9"): "not HTTP: no status line"
        case .unsupportedProtocol where says("Unsupported HTTP version ("): "HTTP version \(version) is not supported"
        case .unsupportedProtocol where says("Unsupported HTTP"): "malformed status line"
        case .unsupportedProtocol where says("response code"): "malformed status line: the status has not three digits"
        case .weirdReply where says("Content-Length"): "the Content-Length is not a number"
        case .weirdReply where says("Nul byte"): "a NUL byte in the headers"
        case .weirdReply where says("without colon"): "a header line without a colon"
        case .badArgument where says("chunked"): "malformed trailer after the chunks"
        case .badArgument where isRequested && !isOpen: "malformed header: a blank before the first field"
        case .tooLarge where !isOpen, .outOfMemory where isRequested && !isOpen: "a header line of more than 100 KiB"
        case .receiveError where says("chunked-encoding"): chunkFault
        case .badContentEncoding: "unexpected Transfer-Encoding"
        default: nil
        }
    }

    private var chunkFault: String {
        if says("hexadecimal sequence") { return "malformed chunk: no size" }
        if says("Too long") { return "malformed chunk: a size of more than 16 digits" }
        if says("Out of memory") { return "a trailer line of more than 100 KiB" }
        return "malformed chunk: no line end after its bytes"
    }

    /// As libcurl writes it: `Unsupported HTTP version (1.2) in response`.
    private var version: Substring { words.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" } }

    private func says(_ part: String) -> Bool { words.contains(part) }
}

/// The results of libcurl between which Winch distinguishes. Their numbers are part of libcurl's ABI.
///
/// - Source: libcurl-errors(3).
struct CurlCode: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    static let ok = CurlCode(rawValue: 0)
    static let unsupportedProtocol = CurlCode(rawValue: 1)
    static let failedInit = CurlCode(rawValue: 2)
    static let malformedURL = CurlCode(rawValue: 3)
    static let proxyNotFound = CurlCode(rawValue: 5)
    static let hostNotFound = CurlCode(rawValue: 6)
    static let couldNotConnect = CurlCode(rawValue: 7)
    static let weirdReply = CurlCode(rawValue: 8)
    static let accessDenied = CurlCode(rawValue: 9)
    /// An FTP server opens no port for a data connection.
    static let passiveRefused = CurlCode(rawValue: 13)
    static let http2 = CurlCode(rawValue: 16)
    /// An FTP server refuses RETR by another reply than 550.
    static let retrieveRefused = CurlCode(rawValue: 19)
    static let quoteFailed = CurlCode(rawValue: 21)
    static let uploadFailed = CurlCode(rawValue: 25)
    /// An FTP server refuses AUTH TLS, which is required.
    static let tlsNotOffered = CurlCode(rawValue: 64)
    static let rewindFailed = CurlCode(rawValue: 65)
    static let remoteDiskFull = CurlCode(rawValue: 70)
    static let partialFile = CurlCode(rawValue: 18)
    static let outOfMemory = CurlCode(rawValue: 27)
    static let timedOut = CurlCode(rawValue: 28)
    /// An FTP server refuses REST.
    static let restRefused = CurlCode(rawValue: 31)
    static let rangeError = CurlCode(rawValue: 33)
    static let tlsConnect = CurlCode(rawValue: 35)
    static let badResume = CurlCode(rawValue: 36)
    static let badArgument = CurlCode(rawValue: 43)
    static let tooManyRedirects = CurlCode(rawValue: 47)
    static let gotNothing = CurlCode(rawValue: 52)
    static let sendError = CurlCode(rawValue: 55)
    static let receiveError = CurlCode(rawValue: 56)
    static let tlsCertificateProblem = CurlCode(rawValue: 58)
    static let tlsCipher = CurlCode(rawValue: 59)
    static let peerNotVerified = CurlCode(rawValue: 60)
    static let badContentEncoding = CurlCode(rawValue: 61)
    static let tlsShutdownFailed = CurlCode(rawValue: 80)
    static let loginDenied = CurlCode(rawValue: 67)
    static let caFileBad = CurlCode(rawValue: 77)
    static let remoteFileNotFound = CurlCode(rawValue: 78)
    static let ssh = CurlCode(rawValue: 79)
    static let tlsCRL = CurlCode(rawValue: 82)
    static let tlsIssuer = CurlCode(rawValue: 83)
    static let pinnedKey = CurlCode(rawValue: 90)
    static let tlsStatus = CurlCode(rawValue: 91)
    static let http2Stream = CurlCode(rawValue: 92)
    static let proxy = CurlCode(rawValue: 97)
    static let tooLarge = CurlCode(rawValue: 100)
}

/// What is wrong with a certificate, in words for the user; those of the TLS library are for programmers.
/// `TransferFailure.shortMessage` recognises these words.
enum CertificateWords {
    /// - Parameter words: libcurl's, with those of its TLS library in them.
    static func clear(_ words: String, host: String) -> String {
        let lower = words.lowercased()
        func says(_ parts: String...) -> Bool { parts.contains { lower.contains($0) } }
        if says("has expired") { return "the certificate of \(host) has expired" }
        if says("not yet valid") {
            return "the certificate of \(host) is not valid yet; is this machine's clock right?"
        }
        if says("does not match target host", "no alternative certificate subject name") {
            return "the certificate is not for \(host) but for another host"
        }
        if says(
            "in certificate chain", "unable to get local issuer", "unable to get issuer", "unable to verify the first")
        {
            return
                "the certificate of \(host) is signed by an unknown authority (--cacert FILE names one to trust)"
        }
        if says("self-signed", "self signed") {
            return "the certificate of \(host) is self-signed (--cacert FILE trusts it)"
        }
        if says("revoked") { return "the certificate of \(host) was revoked" }
        return words
    }
}
