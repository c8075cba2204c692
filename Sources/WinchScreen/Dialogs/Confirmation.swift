import WinchModel

/// A question that a dialog asks before something is done.
enum Confirmation: Hashable, Sendable {
    /// The transfers to cancel; not empty.
    case cancel([TransferID])
    case quit
    /// Hand over transfers that begin again; not empty.
    case background([TransferID])
    case stopSession
    /// An inquiry of the kind `choice`.
    case inquiry(UserQuestion)
}
