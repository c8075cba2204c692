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

extension SplitRefusal {
    /// `nil`: the connection broke for a reason that says nothing of the number of connections.
    ///
    /// - Parameter isAnswered: bytes had come over it.
    init?(_ failure: TransferFailure, isAnswered: Bool) {
        guard !isAnswered else { return nil }
        switch failure {
        case .httpStatus(let code): self = .status(code)
        case .loginNeeded, .loginRefused: self = .status(failure.httpStatus ?? 421)
        case .serverBusy: self = .status(421)
        case .unreachable, .connectionLost, .connectTimeout, .cutShort, .tls: self = .noConnection
        default: return nil
        }
    }
}

/// What bounds a transfer's connections at the moment, apart from what was learned of the host.
package struct SplitCircumstances: Hashable, Sendable {
    /// Bytes that are not on disk; `nil`: the size is unknown, and the file is not split.
    package var left: ByteCount?
    /// Connections that the transfer may have now, at least 1: those it has, and the free slots of the host that no waiting
    /// transfer could take.
    package var slots: Int
    /// The most for one file (`--split`), at least 1; `auto` is `SplitController.automatic`. `--per-host` is contained in
    /// `slots`.
    package var ceiling = SplitController.automatic
    /// The user named the ceiling: that many are tried at once, and fewer only if they do not help.
    package var isCeilingGiven = false
    /// A rate limit holds the transfer back: more connections would bring nothing.
    package var isRateLimited = false
    /// Another transfer from the same host is trying a level: two at a time would be taken for each other's gain.
    package var isHostBusy = false
    /// The host has no place for more connections: who has them, for the user.
    package var fullHost: String?
}

/// What the controller concluded, for the log.
package struct SplitDecision: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case kept
        case givenBack
        /// The arrivals are too far apart to tell yet; another level is tried meanwhile.
        case undecided
        case refused(SplitRefusal)
    }

    /// The connections that were tried: the third and fourth are 3...4.
    package var tried: ClosedRange<Int>
    /// The whole rate of the host against the level below, as a fraction: 0.93 is +93 %; `nil` when it was not measured.
    package var gain: Double?
    package var verdict: Verdict
    /// Connections from now on.
    package var level: Int

    /// E.g. `second connection: +93 %, kept`.
    package var text: String {
        let percent = gain.map { gain in
            let number = Int(max(-999, min(gain * 100, 99_999)).rounded())
            return "\(number < 0 ? "" : "+")\(number) %"
        }
        let verdict =
            switch verdict {
            case .kept: "kept"
            case .givenBack: "given back"
            case .undecided: "measuring"
            case .refused(let refusal): "refused (\(refusal.text)), \(level) from now on"
            }
        return "\(Self.name(of: tried)): \([percent, verdict].compactMap { $0 }.joined(separator: ", "))"
    }

    private static func name(of tried: ClosedRange<Int>) -> String {
        guard tried.count == 1 else { return "connections \(tried.lowerBound) to \(tried.upperBound)" }
        let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
        let index = tried.lowerBound - 1
        return words.indices.contains(index) ? "\(words[index]) connection" : "connection \(tried.lowerBound)"
    }
}
