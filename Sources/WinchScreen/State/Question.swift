import WinchCore

/// What is asked in a dialog before something is done.
enum Question: Hashable, Sendable {
    /// Not empty.
    case cancel([TransferID])
    case quit
    /// From outside of the screen; its kind is `choice`.
    case inquiry(Inquiry)
}
