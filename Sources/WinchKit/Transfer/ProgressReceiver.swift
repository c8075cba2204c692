/// An object that shows a transfer's progress, such as a progress bar.
///
/// Calls are made one after the other, on any thread. A receiver that is slow gets the latest state with its next call, and
/// does not delay the transfer or other receivers.
public protocol ProgressReceiver: AnyObject, Sendable {
    /// Shows the state; called for the present state and for every change until the transfer is settled.
    func show(_ progress: Transfer.Progress)
}
