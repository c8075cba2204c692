import Glibc
import Testing
import WinchCore

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
            (.http2Stream, .connectionLost("words")), (.weirdReply, .badResponse("words")),
            (.badContentEncoding, .badResponse("unexpected Transfer-Encoding")),
            (CurlCode(rawValue: 9999), .other("words")),
        ] as [(CurlCode, TransferFailure)])
    func `becomes our own words`(code: CurlCode, expected: TransferFailure) {
        #expect(failure(code) == expected)
    }

    @Test(
        arguments: [
            (.ftp, .loginDenied, .loginRefused(service: "FTP", details: nil), 24),
            (.ftp, .remoteFileNotFound, .remoteFile(.missingOrDenied, path: "/p"), 3),
            (.ftp, .accessDenied, .remoteFile(.missingOrDenied, path: "/p"), 3),
            (.sftp, .loginDenied, .loginRefused(service: "SFTP", details: nil), 24),
            (.sftp, .remoteFileNotFound, .remoteFile(.missing, path: "/p"), 3),
            (.sftp, .accessDenied, .remoteFile(.denied, path: "/p"), 24),
        ] as [(TransferURL.Scheme, CurlCode, TransferFailure, Int32)])
    func `of FTP or SFTP is told as such, not as a status of HTTP`(
        scheme: TransferURL.Scheme, code: CurlCode, expected: TransferFailure, exit: Int32
    ) {
        let told = failure(code) { $0.scheme = scheme }
        #expect(told == expected)
        #expect(told.exitCode == exit)
        #expect(!told.message.contains("40"))
    }

    @Test(arguments: [ENETDOWN, EHOSTUNREACH])
    func `for want of a network is not the host's`(code: Int32) {
        let away = failure(.couldNotConnect) { $0.systemError = code }
        guard case .networkDown = away else {
            Issue.record("\(away)")
            return
        }
        #expect(away.isForWantOfNetwork)
    }

    @Test(arguments: [
        ("http://me:secret@proxy.test:8080", "proxy.test"), ("proxy.test", "proxy.test"),
        ("socks5h://Proxy.Test:1", "proxy.test"),
        ("http://[::1]:3128/", "[::1]"),
    ])
    func `of a proxy is about that host`(proxy: String, host: String) {
        #expect(CurlFailure.proxyName(proxy) == host)
    }

    @Test func `is told apart by what happened before`() {
        let refused = failure(.couldNotConnect) { $0.systemError = ECONNREFUSED }
        #expect(refused == .unreachable(host: "h.test", reason: "connection refused"))
        let shaken = failure(.tlsConnect) { $0.systemError = ECONNRESET }
        #expect(RetryPolicy.treatment(of: RetryPolicy.Attempt(shaken), retryWait: .seconds(1)) == .again)
        let elsewhere = failure(.unsupportedProtocol) { $0.location = "gopher://x" }
        #expect(elsewhere == .redirectRefused("gopher://x"))
        let login = failure(.receiveError) { $0.proxyStatus = 407 }
        #expect(login == .httpStatus(407))
        let gateway = failure(.receiveError) { $0.proxyStatus = 502 }
        #expect(gateway == .proxy("status 502"))
        let ended = failure(.receiveError) { $0.isOpen = true }
        #expect(ended == .cutShort(have: .zero, expected: nil))
        let reset = failure(.receiveError) {
            $0.isOpen = true
            $0.systemError = ECONNRESET
        }
        #expect(reset == .connectionLost("connection reset by peer"))
    }
}

@Suite struct `A stall` {
    private let start = Moment(seconds: 100)

    @Test func `is less than a kibibyte in the time allowed`() {
        var watch = StallWatch(at: start, bytes: 0)
        let looks: [(Double, Int64)] = [(29, 1023), (29.5, 1024), (59, 2047), (59.5, 2047)]
        let stalls = looks.map { second, bytes in
            watch.hasStalled(at: start + .seconds(second), bytes: bytes, allowed: .seconds(30), limit: nil)
        }
        #expect(stalls == [false, false, false, true])
    }

    @Test func `is not what a person ordered, nor the time the process was stopped`() {
        var slow = StallWatch(at: start, bytes: 0)
        let rate = ByteRate(perSecond: 10)
        let isSlow = slow.hasStalled(at: start + .seconds(30), bytes: 200, allowed: .seconds(30), limit: rate)
        #expect(!isSlow)
        var stopped = StallWatch(at: start, bytes: 0)
        stopped.forgive(.seconds(3600))
        let isStalled = stopped.hasStalled(at: start + .seconds(3601), bytes: 0, allowed: .seconds(30), limit: nil)
        #expect(!isStalled)
    }
}

@Suite struct `A gzip stream` {
    /// `printf 'hello\nhello\n' | gzip -n`.
    private let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 0xCA, 0x00, 0x93, 0x00, 0x77,
        0x0C, 0xC7, 0x2F, 0x0C, 0, 0, 0,
    ]

    @Test func `unpacks one member, several, and padding after them`() throws {
        let text = Array("hello\nhello\n".utf8)
        #expect(Gunzip.isGzip(hello))
        #expect(try Gunzip.inflate(hello, limit: 100) == text)
        #expect(try Gunzip.inflate(hello + hello, limit: 100) == text + text)
        #expect(try Gunzip.inflate(hello + [0, 0, 0], limit: 100) == text)
    }

    @Test func `says when it is damaged, cut, or too much`() {
        #expect(throws: Gunzip.Fault.tooLarge(limit: 11)) { try Gunzip.inflate(hello, limit: 11) }
        #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate(Array("plain".utf8), limit: 100) }
        #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate([], limit: 100) }
        for end in 1..<hello.count {
            #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate(Array(hello[..<end]), limit: 100) }
        }
        var wrong = hello
        wrong[20] ^= 0xFF
        #expect(throws: Gunzip.Fault.damaged) { try Gunzip.inflate(wrong, limit: 100) }
    }
}
