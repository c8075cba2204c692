public import WinchCore

/// Why the queue did not do what was asked. What becomes of a transfer is told by its ``TransferResult``.
public enum NetworkQueueFailure: Error, Hashable, Sendable {
    /// libcurl or the system gives no means to begin.
    case cannotStart(TransferFailure)
    case badURL(TransferURL.Fault)
    /// A name is a path below the target folder: not absolute, no `..`.
    case badName(TargetPath.Fault)
    /// A transfer without an address.
    case noURL
    /// A transfer that sends a file; there are no uploads yet.
    case uploadsUnsupported
    /// The queue was closed.
    case closed

    /// One line for a person.
    public var message: String {
        switch self {
        case .cannotStart(let failure): failure.message
        case .badURL(let fault): fault.message
        case .badName(let fault): "the name \(fault.message)"
        case .noURL: "a transfer needs a URL"
        case .uploadsUnsupported: "uploads are not supported"
        case .closed: "the queue is closed"
        }
    }
}
