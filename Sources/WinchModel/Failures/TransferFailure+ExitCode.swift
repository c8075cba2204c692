extension TransferFailure {
    /// The exit code, in aria2's numbers.
    public var exitCode: Int32 {
        switch self {
        case .connectTimeout, .stalled, .timeLimit: 2
        case .tooSlow: 5
        case .askedToWait(let status, _): Self.httpStatus(status).exitCode
        case .httpStatus(404), .httpStatus(410): 3
        case .remoteFile(.denied, _), .keyLocked, .loginRefused: 24
        case .remoteFile: 3
        case .networkDown, .unreachable, .connectionLost, .untrusted, .tls, .proxy, .hostKeyUnknown, .hostKeyChanged,
            .hostKeyRevoked:
            6
        case .diskFull, .remoteFull, .httpStatus(507): 9
        case .remoteWrite(.denied, _, _): 24
        case .remoteWrite: 17
        case .unanswered: 6
        case .answeredEarly: 22
        case .inUse: 11
        case .nameTaken: 13
        case .folder, .readWrite: 17
        case .hostNotFound, .nameServerDown: 19
        case .cutShort, .badResponse, .unexpectedPage: 22
        case .tooManyRedirects, .redirectRefused: 23
        case .httpStatus(401), .httpStatus(407): 24
        case .httpStatus(429), .httpStatus(503), .serverBusy: 29
        case .httpStatus: 22
        case .checksum: 32
        case .sourceChanged, .notRepeatable: 1
        case .changed, .stoppedByFailFast, .tooLarge, .other: 1
        }
    }
}
