/// Why a session cannot be started, or not be reached.
package enum SessionFailure: Error, Equatable, Sendable {
    /// No session answers for this state folder.
    case notRunning(folder: String)
    /// One runs for this state folder already.
    case running(folder: String)
    /// The folder, or what is in the socket's place, may not be used. `reason`: what is wrong, and what to do.
    case unsafe(path: String, reason: String)
    /// The system refuses a call. `reason`: its words.
    case system(path: String, reason: String)
    /// The other side is no Winch, or speaks a version of the protocol that this one does not know.
    case unknownProtocol(String)
    /// The other side has closed the connection. `reason`: in its words; `nil`: it gave none.
    case closed(reason: String?)
    /// The session has refused a request, in its words.
    case refused(String)

    /// One line for the user.
    package var message: String {
        switch self {
        case .notRunning(let folder): "no session runs for \(folder); winch serve starts one"
        case .running(let folder): "a session runs for \(folder) already; winch add gives it more to do"
        case .unsafe(let path, let reason), .system(let path, let reason): "\(path): \(reason)"
        case .unknownProtocol(let words): words
        case .closed(let reason): "the session has closed the connection" + (reason.map { ": \($0)" } ?? "")
        case .refused(let words): words
        }
    }
}
