/// A warning about a file that was downloaded all the same.
package enum TransferWarning: Hashable, Sendable, Codable {
    /// The server sent an HTML page where `expected` (`.zip`, or the media type of an earlier response) was expected.
    case page(expected: String)
    /// The server's SSH key is trusted in this run only, because it could not be added to known_hosts.
    case hostKeyNotKept(reason: String)

    /// Files of a Metalink were left out; the reason is that of the first.
    case metalink(reason: String)

    /// One line for the user.
    package var message: String {
        switch self {
        case .page(let expected): "received an HTML page instead of \(expected); a login may be needed"
        case .hostKeyNotKept(let reason): "the host key was accepted for this run only: \(reason)"
        case .metalink(let reason): "files of the Metalink were left out: \(reason)"
        }
    }

    /// A few words, for a narrow column.
    package var shortMessage: String {
        switch self {
        case .page(let expected): "HTML, not \(expected)"
        case .hostKeyNotKept: "host key not kept"
        case .metalink: "files left out"
        }
    }
}
