/// A warning about a file that was downloaded or uploaded all the same.
package enum TransferWarning: Hashable, Sendable, Codable {
    /// The server sent an HTML page where `expected` (`.zip`, or the media type of an earlier response) was expected.
    case page(expected: String)
    /// The server's SSH key is trusted in this run only, because it could not be added to known_hosts.
    case hostKeyNotKept(reason: String)

    /// Files of a Metalink were left out; the reason is that of the first.
    case metalink(reason: String)

    /// Pieces of the file had other hashes than its list says; they were fetched again.
    /// - Parameter source: the host that sent the last one; `nil`: it is not known.
    case wrongPieces(Int, source: String?)

    /// An FTP or SFTP server told no size of what was uploaded.
    case remoteSizeUnknown

    /// The server wanted to know the size of a stream before its first byte.
    case streamKept

    /// Whether it only tells how the file was moved: the file is complete and right, and is shown like any other.
    package var isNote: Bool { self == .streamKept }

    /// What to call it: `warning` or `note`.
    package var kind: String { isNote ? "note" : "warning" }

    /// One line for the user.
    package var message: String {
        switch self {
        case .page(let expected): "received an HTML page instead of \(expected); a login may be needed"
        case .hostKeyNotKept(let reason): "the host key was accepted for this run only: \(reason)"
        case .metalink(let reason): "files of the Metalink were left out: \(reason)"
        case .remoteSizeUnknown: "the server tells no size, which was therefore not compared"
        case .streamKept: "the size was needed first: the stream was read to its end before it was sent"
        case .wrongPieces(let count, let source):
            "\(count == 1 ? "a wrong piece was" : "\(count) wrong pieces were") fetched again"
                + (source.map { "; \($0) sent \(count == 1 ? "it" : "the last")" } ?? "")
        }
    }

    /// A few words, for a narrow column.
    package var shortMessage: String {
        switch self {
        case .page(let expected): "HTML, not \(expected)"
        case .hostKeyNotKept: "host key not kept"
        case .metalink: "files left out"
        case .remoteSizeUnknown: "size not compared"
        case .streamKept: "read to its end first"
        case .wrongPieces: "wrong pieces fetched again"
        }
    }
}
