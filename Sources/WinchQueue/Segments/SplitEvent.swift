package import WinchModel

/// What the controller of one file's connections has to know. Numbers are those of the transfer's connections, as in
/// `ConnectionID`.
package enum SplitEvent: Hashable, Sendable {
    /// A connection is being opened.
    case opened(Int)
    /// The server lets it in: it answered with the bytes that were asked for.
    case answered(Int)
    /// Bytes have come over a connection of this transfer; `nil`: over one of another transfer from the same host.
    case moved(Int?, ByteCount)
    /// The server does not let it in, or throws it out.
    case refused(Int, SplitRefusal)
    /// It was lost for another reason, such as a timeout or a network fault.
    case lost(Int)
    /// It has ended as it was to: all its bytes are there, or it was closed by the queue.
    case closed(Int)
    /// The server cannot serve this file in ranges: it sent all of it, or another version.
    case unsplittable
    /// Time has passed.
    case tick
}

/// How a host turns a connection away.
package enum SplitRefusal: Hashable, Sendable {
    /// The status of the answer: 403, 429, 503, or whatever is no success.
    case status(Int)
    /// No connection, or it was reset before the answer.
    case noConnection
    /// It answered nothing for too long, while others were served.
    case silence

    /// For the log.
    var text: String {
        switch self {
        case .status(let code): "status \(code)"
        case .noConnection: "no connection"
        case .silence: "no answer"
        }
    }
}
