public import WinchModel

/// Why a call to the queue failed. Failures of transfers are in their ``TransferResult``.
public enum NetworkQueueFailure: Error, Hashable, Sendable {
    /// libcurl or the system cannot provide what the queue needs, such as a thread.
    case cannotStart(TransferFailure)
    /// The text is no usable URL.
    case badURL(TransferURL.Fault)
    /// The name is no path below the target folder; for example it is absolute or contains `..`.
    case badName(TargetPath.Fault)
    /// The spec has no URL.
    case noURL
    /// The URL of an upload ends in `/`, and what is sent has no name.
    case noUploadName
    /// The queue has been closed.
    case closed

    /// One line for the user.
    public var message: String {
        switch self {
        case .cannotStart(let failure): failure.message
        case .badURL(let fault): fault.message
        case .badName(let fault): "the name \(fault.message)"
        case .noURL: "a transfer needs a URL"
        case .noUploadName: "the URL ends in /, and what is sent has no name"
        case .closed: "the queue is closed"
        }
    }
}
