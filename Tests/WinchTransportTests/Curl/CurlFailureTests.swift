import Glibc
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue
@testable import WinchTransport

@Suite struct `A libcurl error` {
    private func failure(_ code: CurlCode, _ change: (inout CurlFailure) -> Void = { _ in }) -> TransferFailure {
        var failure = CurlFailure(
            code: code, words: "words", host: "h.test", path: "/p", connectTimeout: .seconds(15), maxRedirects: 3)
        change(&failure)
        return failure.transferFailure
    }

    @Test(
        arguments: [
            (.hostNotFound, .hostNotFound("h.test")), (.proxyNotFound, .proxy("words")), (.proxy, .proxy("words")),
            (.couldNotConnect, .unreachable(host: "h.test", reason: "words")),
            (.timedOut, .connectTimeout(host: "h.test", seconds: 15)), (.tooManyRedirects, .tooManyRedirects(3)),
            (.peerNotVerified, .untrusted("words")), (.tlsConnect, .tls("words")), (.caFileBad, .tls("words")),
            (.partialFile, .cutShort(have: .zero, expected: nil)), (.gotNothing, .connectionLost("words")),
            (.http2Stream, .connectionLost("words")),
            (.rewindFailed, .connectionLost("the server closed the kept connection")),
            (.tlsNotOffered, .tls("h.test does not offer it by FTP (--ftp-tls try goes on without)")),
            (.weirdReply, .badResponse("words")),
            (.badContentEncoding, .badResponse("unexpected Transfer-Encoding")),
            (CurlCode(rawValue: 9999), .other("words")),
        ] as [(CurlCode, TransferFailure)])
    func `is converted to a failure with a message`(code: CurlCode, expected: TransferFailure) {
        expectEqual(failure(code), expected)
    }

    @Test(
        arguments: [
            (.ftp, .loginDenied, .loginNeeded(origin: "ftp://h.test"), 24),
            (.ftp, .remoteFileNotFound, .remoteFile(.missingOrDenied, path: "/p"), 3),
            (.ftp, .accessDenied, .remoteFile(.missingOrDenied, path: "/p"), 3),
            (.sftp, .loginDenied, .loginRefused(origin: "sftp://h.test", user: nil, details: nil), 24),
            (.sftp, .remoteFileNotFound, .remoteFile(.missing, path: "/p"), 3),
            (.sftp, .accessDenied, .remoteFile(.denied, path: "/p"), 24),
        ] as [(TransferURL.Scheme, CurlCode, TransferFailure, Int32)])
    func `of FTP or SFTP is reported as such, not as an HTTP status`(
        scheme: TransferURL.Scheme, code: CurlCode, expected: TransferFailure, exit: Int32
    ) {
        let told = failure(code) { $0.scheme = scheme }
        expectEqual(told, expected)
        expectEqual(told.exitCode, exit)
        expect(!told.message.contains("40"))
    }

    @Test(arguments: [TransferURL.Scheme.ftp, .sftp])
    func `of a login that takes too long is no missing connection`(scheme: TransferURL.Scheme) {
        let late = failure(.timedOut) { ($0.scheme, $0.isConnected) = (scheme, true) }
        expectEqual(late.message, "the server h.test did not finish the login within 15 s (--connect-timeout)")
        let none = failure(.timedOut) { $0.scheme = scheme }
        expectEqual(none.message, "no connection to h.test within 15 s")
    }

    @Test func `that refuses a login names its user, unless it was typed`() {
        let refused = failure(.loginDenied) { ($0.scheme, $0.user) = (.ftp, "me") }
        expectEqual(refused, .loginRefused(origin: "ftp://h.test", user: "me", details: nil))
        let typed = failure(.loginDenied) { ($0.scheme, $0.isLoginTyped) = (.ftp, true) }
        expectEqual(typed, .loginRefused(origin: "ftp://h.test", user: nil, details: nil))
    }

    @Test(arguments: [ENETDOWN, EHOSTUNREACH])
    func `without a network is not attributed to the host`(code: Int32) {
        let away = failure(.couldNotConnect) { $0.systemError = code }
        guard case .networkDown = away else {
            Issue.record("\(away)")
            return
        }
        expect(away.isLocalNetworkFailure)
    }

    @Test(arguments: [
        ("http://me:secret@proxy.test:8080", "proxy.test"), ("proxy.test", "proxy.test"),
        ("socks5h://Proxy.Test:1", "proxy.test"),
        ("http://[::1]:3128/", "[::1]"), ("http://me:secret/x@proxy.test:8080", "proxy.test"),
    ])
    func `of a proxy names the proxy's host`(proxy: String, host: String) {
        expectEqual(CurlFailure.proxyName(proxy), host)
    }

    @Test(
        arguments: [
            (
                "Unsupported proxy scheme for 'socks9://me:pw/x@h'",
                "the proxy's URL has an unknown scheme; http, https, socks4, socks4a, socks5 and socks5h are known"
            ),
            (
                "Unsupported proxy syntax in 'http://me:pw/x@h:1': Port number was not a decimal number",
                "the proxy's URL is malformed; \(ProxyAddress.form)"
            ),
            ("Could not resolve proxy: h", "Could not resolve proxy: h"),
        ], [CurlCode.couldNotConnect, .malformedURL, .proxy])
    func `of a proxy does not show its login`(words: (String, String), code: CurlCode) {
        let message = failure(code) { $0.words = words.0 }.message
        expect(message.hasSuffix(words.1), "\(message)")
    }

    @Test(
        arguments: [
            ("Failed to connect to 10.0.0.9 port 3128 after 0 ms: x", "h.test", nil, "10.0.0.9:3128"),
            ("Failed to connect to ::1 port 3128 after 0 ms: x", "h.test", nil, "[::1]:3128"),
            ("Failed to connect to h.test port 80 after 0 ms: x", "h.test", nil, nil),
            ("Failed to connect to H.test port 81 after 0 ms: x", "h.test:81", nil, nil),
            ("Failed to connect to h.test port 80 after 0 ms: x", "h.test", "http://p:1", nil),
            ("Failed to connect to p port 1 after 0 ms: x", "h.test", "http://u:s@p:1", "p:1"),
        ] as [(String, String, String?, String?)])
    func `to connect to a proxy, also one of the environment, is not the server's`(
        words: String, host: String, proxy: String?, named: String?
    ) {
        let told = failure(.couldNotConnect) {
            ($0.words, $0.host, $0.proxy, $0.systemError) = (words, host, proxy, ECONNREFUSED)
        }
        let expected = named.map { TransferFailure.proxy("cannot connect to \($0): connection refused") }
        expectEqual(told, expected ?? .unreachable(host: host, reason: "connection refused"))
    }

    /// RFC 959, section 4.2: a reply that begins with 4 is about the moment, one that begins with 5 about the request.
    @Test(
        arguments: [
            (.retrieveRefused, "450 in use", .remoteFile(.busy, path: "/p")),
            (.passiveRefused, "425 no port", .remoteFile(.busy, path: "/p")),
            (.accessDenied, "451 local error", .remoteFile(.busy, path: "/p")),
            (.accessDenied, "550 no", .remoteFile(.missingOrDenied, path: "/p")),
            (.retrieveRefused, "553 no", .other("words")), (.passiveRefused, "502 no", .other("words")),
            (.timedOut, "421 closing", .connectionLost("421 closing")),
        ] as [(CurlCode, String, TransferFailure)])
    func `of an FTP server is passing when its reply is`(code: CurlCode, reply: String, expected: TransferFailure) {
        expectEqual(failure(code) { ($0.scheme, $0.reply) = (.ftp, reply) }, expected)
    }

    @Test(
        arguments: [
            (.receiveError, "OpenSSL SSL_read: error:0A00045C::tlsv13 alert certificate required, errno 0"),
            (.sendError, "SSL_write() error: error:0A00045C:SSL routines::tlsv13 alert certificate required"),
            (.receiveError, "OpenSSL SSL_read: error:0A000418:SSL routines::tlsv1 alert unknown ca, errno 0"),
            (.tlsConnect, "OpenSSL/3.0.19: error:0A000412:SSL routines::sslv3 alert bad certificate"),
        ] as [(CurlCode, String)], [0, ECONNRESET])
    func `that is an alert about the client's certificate is final`(error: (CurlCode, String), system: Int32) {
        let told = failure(error.0) { ($0.words, $0.systemError) = (error.1, system) }
        expectEqual(told, .tls("h.test asks for a client certificate that it accepts (--cert FILE)"))
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(told), retryWait: .seconds(1)), .never(told))
    }

    @Test func `is classified by what happened before and by libcurl's words`() {
        let shaken = failure(.tlsConnect) { $0.systemError = ECONNRESET }
        expectEqual(RetryPolicy.treatment(of: RetryPolicy.Attempt(shaken), retryWait: .seconds(1)), .again)
        let elsewhere = failure(.unsupportedProtocol) { $0.location = "gopher://x" }
        expectEqual(elsewhere, .redirectRefused("gopher://x"))
        let proxyLogin = failure(.receiveError) { $0.proxyStatus = 407 }
        expectEqual(proxyLogin, .httpStatus(407))
        let gateway = failure(.receiveError) { $0.proxyStatus = 502 }
        expectEqual(gateway, .proxy("status 502"))
        let ended = failure(.receiveError) { $0.isOpen = true }
        expectEqual(ended, .cutShort(have: .zero, expected: nil))
        let reset = failure(.receiveError) {
            $0.isOpen = true
            $0.systemError = ECONNRESET
        }
        expectEqual(reset, .connectionLost("connection reset by peer"))
        let key = failure(.tlsCertificateProblem) { $0.words = "unable to set private key file: 'k.pem' type PEM" }
        expect(key.message.contains("'k.pem'") && key.message.contains("has a passphrase"))
        let other = "OpenSSL/3.0.19: error:0A000410:SSL routines::sslv3 alert handshake failure"
        expectEqual(failure(.tlsConnect) { $0.words = other }, .tls(other))
        let plain = failure(.tlsConnect) { $0.words = "OpenSSL/3.0: error:0A00010B:SSL routines::wrong version number" }
        expectEqual(plain, .tls("no TLS on that port of h.test; is it http://?"))
    }
}

@Suite struct `An untrusted certificate` {
    @Test(
        arguments: [
            ("SSL certificate problem: certificate has expired", "the certificate of h has expired"),
            (
                "SSL: no alternative certificate subject name matches target host name 'h'",
                "the certificate is not for h but for another host"
            ),
            (
                "SSL certificate problem: self-signed certificate",
                "the certificate of h is self-signed (--cacert FILE trusts it)"
            ),
            (
                "SSL certificate problem: self signed certificate in certificate chain",
                "the certificate of h is signed by an unknown authority (--cacert FILE names one to trust)"
            ),
            (
                "SSL certificate problem: unable to get local issuer certificate",
                "the certificate of h is signed by an unknown authority (--cacert FILE names one to trust)"
            ),
            (
                "SSL certificate problem: certificate is not yet valid",
                "the certificate of h is not valid yet; is this machine's clock right?"
            ),
            ("something new", "something new"),
        ])
    func `is reported with the reason`(words: String, clear: String) {
        expectEqual(CertificateWords.clear(words, host: "h"), clear)
    }
}
