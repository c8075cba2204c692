extension TransferFailure {
    /// The failure in a few words, for a narrow column. It contains no text from a server, except a status code.
    package var shortMessage: String {
        switch self {
        case .hostNotFound: "no such host"
        case .nameServerDown: "name lookup failed"
        case .networkDown: "network unreachable"
        case .unreachable(_, let reason): Self.connecting[reason] ?? "cannot connect"
        case .connectTimeout: "connect timed out"
        case .serverBusy: "server busy"
        case .loginRefused: httpStatus.map { "\($0) login refused" } ?? "login refused"
        case .stalled: "stalled"
        case .timeLimit: "time limit"
        case .tooSlow: "too slow"
        case .httpStatus(let code): "\(code) \(HTTPStatus.words(code))"
        case .askedToWait(let status, _): "\(status), asks to wait"
        case .tooManyRedirects: "too many redirects"
        case .redirectRefused: "redirect refused"
        case .untrusted(let reason): Self.certificate(reason)?.short ?? "not trusted"
        case .tls: "no secure connection"
        case .proxy: "proxy error"
        case .cutShort: "cut short"
        case .connectionLost: "connection lost"
        case .badResponse: "invalid response"
        case .nameTaken: "name taken"
        case .folder: "cannot create"
        case .diskFull: "disk full"
        case .readWrite: "disk error"
        case .checksum: "checksum mismatch"
        case .inUse: "another winch has it"
        case .changed: "file has changed"
        case .unexpectedPage: "HTML page instead"
        case .tooLarge: "too large"
        case .hostKeyUnknown: "unknown host key"
        case .hostKeyChanged: "HOST KEY CHANGED"
        case .hostKeyRevoked: "host key revoked"
        case .keyLocked(_, let isWrong): isWrong ? "wrong passphrase" : "key needs passphrase"
        case .remoteFile(.missing, _), .remoteFile(.missingOrDenied, _): "no such file"
        case .remoteFile(.denied, _): "permission denied"
        case .remoteFile(.folder, _): "is a folder"
        case .remoteWrite(.denied, _, _): "permission denied"
        case .remoteWrite(.noFolder, _, _): "no such folder"
        case .remoteWrite(.rename, _, _): "cannot rename"
        case .remoteWrite(.size, _, _): "wrong size at server"
        case .remoteWrite(.unknown, _, _): "server refuses it"
        case .remoteFull: "server full"
        case .sourceChanged: "source has changed"
        case .notRepeatable: "cannot send again"
        case .unanswered: "no answer"
        case .answeredEarly: "answered too early"
        case .stoppedByFailFast: "stopped"
        case .other: "failed"
        }
    }

    /// The failure for a column of 25 characters: `shortMessage`, or a more exact text where there is one of that length.
    package var rowMessage: String {
        if case .untrusted(let reason) = self { Self.certificate(reason)?.long ?? shortMessage } else { shortMessage }
    }

    /// Short texts by the system's description of the error.
    private static let connecting = [
        "connection refused": "connection refused", "network is unreachable": "network unreachable",
        "no route to host": "host unreachable", "connection timed out": "connection timed out",
        "connection reset by peer": "connection reset",
    ]

    /// Short and longer texts by the transport's description of a fault in a certificate.
    private static func certificate(_ reason: String) -> (short: String, long: String)? {
        let known: [(part: String, short: String, long: String)] = [
            ("has expired", "certificate expired", "certificate expired"),
            ("not valid yet", "cert. not valid yet", "certificate not valid yet"),
            ("for another host", "certificate mismatch", "certificate of other host"),
            ("unknown authority", "unknown authority", "certificate issuer unknown"),
            ("self-signed", "self-signed cert.", "self-signed certificate"),
            ("revoked", "certificate revoked", "certificate revoked"),
        ]
        return known.first { reason.contains($0.part) }.map { ($0.short, $0.long) }
    }
}
