import WinchModel

/// What counts as a sign that a host takes no more connections.
///
/// `RetryPolicy` decides with it how an attempt is treated, `SplitController` how many connections a file gets, and
/// `HostConnectionLimit` how many the host is asked for.
enum TooManyConnections {
    /// A host that takes no more connections answers so: 429, 503, FTP's 421 and its kind, or no connection at all.
    static func isSign(_ failure: TransferFailure) -> Bool {
        switch failure {
        case .httpStatus(429), .httpStatus(503), .unreachable, .serverBusy: true
        default: false
        }
    }

    /// A 429 is about the client, whatever else is open and whichever URL it asked for.
    static func isSignOfClientLimit(_ failure: TransferFailure) -> Bool { failure == .httpStatus(429) }

    /// The refusal is the URL's own fault, and says nothing of how many connections the host takes: it has served others
    /// since it refused this URL before, or there are no others.
    ///
    /// A 429 is about the client and a refused connection about the host, whatever the URL. Nor does a first 503: a host
    /// that takes no more connections answers it to many URLs, once each.
    static func isURLsFault(_ failure: TransferFailure, areOthersServed: Bool) -> Bool {
        failure == .httpStatus(503) && areOthersServed
    }
}

extension SplitRefusal {
    /// It is about the number of connections; another status, such as 404, is about this URL.
    var isOfHost: Bool {
        switch self {
        case .status(let code): code == 403 || code == 429 || code == 503
        case .noConnection: true
        case .silence: false
        }
    }
}
