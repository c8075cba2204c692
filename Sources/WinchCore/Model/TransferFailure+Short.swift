extension TransferFailure {
    /// What happened, in the few words that a narrow column has room for. Nothing from outside but a status.
    public var shortMessage: String {
        switch self {
        case .hostNotFound: "no such host"
        case .unreachable: "cannot connect"
        case .connectTimeout: "no connection"
        case .loginRefused: "login refused"
        case .stalled: "stalled"
        case .timeLimit: "out of time"
        case .tooSlow: "too slow"
        case .httpStatus(let code): "\(code) \(HTTPStatus.words(code))"
        case .askedToWait(let status, _): "\(status), asks to wait"
        case .tooManyRedirects: "too many redirects"
        case .redirectRefused: "redirect refused"
        case .untrusted: "not trusted"
        case .tls: "no secure connection"
        case .proxy: "proxy fails"
        case .cutShort: "cut short"
        case .connectionLost: "connection lost"
        case .badResponse: "bad answer"
        case .nameTaken: "name is taken"
        case .folder: "folder unusable"
        case .diskFull: "disk full"
        case .readWrite: "disk error"
        case .checksum: "wrong checksum"
        case .inUse: "in use elsewhere"
        case .changed: "file has changed"
        case .unexpectedPage: "a page, not the file"
        case .tooLarge: "too large"
        case .remoteFile(.missing, _), .remoteFile(.missingOrDenied, _): "no such file"
        case .remoteFile(.denied, _): "permission denied"
        case .remoteFile(.folder, _): "is a folder"
        case .stoppedByFailFast: "stopped"
        case .other: "failed"
        }
    }
}
