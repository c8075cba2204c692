/// Why a session ends, in the words that its clients are closed with.
package enum SessionEnd: String, Sendable {
    /// By the user, a client or a signal.
    case stopped = "the session was stopped; partial files are kept"
    /// By itself.
    case done = "the session has ended, because there is nothing more to do"
}

/// Why a session cannot be started, or not be reached.
package enum SessionFailure: Error, Equatable, Sendable {
    case notRunning(folder: String)
    case running(folder: String)
    /// The folder, or what is in the socket's place, may not be used. `reason`: what is wrong, and what to do.
    case unsafe(path: String, reason: String)
    /// The system refuses a call. `reason`: its words.
    case system(path: String, reason: String)
    /// The other side is no Winch, or speaks a version of the protocol that this one does not know.
    case unknownProtocol(String)
    /// The other machine was not reached, in the words of ssh.
    case unreachable(String)
    /// The other side has closed the connection. `reason`: in its words; `nil`: it gave none.
    case closed(reason: String?)
    /// The other side holds the connection and says nothing: its process is stopped, or waits for a disk.
    case silent(after: Duration)
    /// The session has refused a request, in its words.
    case refused(String)

    /// The session has ended by itself, or was about to: the next one may be asked instead.
    package var isEndOfSession: Bool {
        switch self {
        case .notRunning, .closed(nil): true
        case .closed(let reason?): SessionEnd(rawValue: reason) == .done
        case .running, .unsafe, .system, .unknownProtocol, .unreachable, .silent, .refused: false
        }
    }

    package static let stopped = SessionFailure.closed(reason: SessionEnd.stopped.rawValue)

    package var message: String {
        switch self {
        case .notRunning(let folder): "no session runs for \(folder)"
        case .running(let folder): "a session runs for \(folder) already"
        case .unsafe(let path, let reason), .system(let path, let reason): "\(path): \(reason)"
        case .unknownProtocol(let words), .unreachable(let words): words
        case .closed(let reason?) where SessionEnd(rawValue: reason) != nil: reason
        case .closed(let reason): "the session has closed the connection" + (reason.map { ": \($0)" } ?? "")
        case .silent(let span):
            "the session has not answered for \(span.components.seconds) s: its process is stopped, or waits for a disk"
        case .refused(let words): words
        }
    }
}
