import WinchModel

/// What becomes of the body that a connection brings.
enum BodyPhase {
    /// Status and fields are due, or an answer that is none yet: a redirect, a login.
    case awaitingHead
    /// Nothing is written until the overlap turned out to be the same; then the body is opened.
    case comparing(DownloadOverlap, then: DownloadOverlap.Opening)
    case receiving
    /// All of the file comes once more: it is compared with what is kept, up to the first byte that differs.
    case rereading(DownloadOverlap)
    /// The body is a Metalink, and is kept in memory.
    case collecting
    /// The body is of no use; so many bytes of it came.
    /// - Parameter until: its rest is waited for no longer; `nil`: it is.
    case discarding(Int, until: Moment? = nil)

    /// Bytes of the body count as bytes of the file.
    var isReceiving: Bool {
        switch self {
        case .receiving, .rereading: true
        case .awaitingHead, .comparing, .collecting, .discarding: false
        }
    }

    /// What of the body is on disk already.
    var overlap: DownloadOverlap? {
        switch self {
        case .comparing(let overlap, _), .rereading(let overlap): overlap
        case .awaitingHead, .receiving, .collecting, .discarding: nil
        }
    }
}
