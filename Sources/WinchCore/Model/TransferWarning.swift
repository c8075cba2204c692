/// What is odd about a file that was fetched all the same.
public enum TransferWarning: Hashable, Sendable, Codable {
    /// A page came where `expected` (`.zip`, or the type an earlier answer named) was due.
    case page(expected: String)
    /// The server's key holds for this run only; why it is not in known_hosts.
    case hostKeyNotKept(reason: String)

    /// One line for a person.
    public var message: String {
        switch self {
        case .page(let expected): "received an HTML page instead of \(expected); a login may be needed"
        case .hostKeyNotKept(let reason): "the host key was accepted for this run only: \(reason)"
        }
    }

    /// In few words.
    public var shortMessage: String {
        switch self {
        case .page(let expected): "HTML, not \(expected)"
        case .hostKeyNotKept: "host key not kept"
        }
    }
}
