/// Something that shows a transfer's progress, such as a bar.
///
/// Calls come one after the other, on no particular thread. A receiver that is slow is given the latest when it is done
/// and holds up nobody else.
public protocol ProgressReceiver: AnyObject, Sendable {
    func show(_ progress: Transfer.Progress)
}
