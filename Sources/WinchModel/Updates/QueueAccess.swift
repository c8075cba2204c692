/// A queue as front ends see and steer it, wherever it runs. Everything may be called on any thread, and nothing waits for the
/// queue.
package protocol QueueAccess: Sendable {
    /// Passes on what changes in the queue, and says when it has ended.
    var feed: UpdateFeed { get }

    /// The effect of a command is in a later update.
    func send(_ command: Command)

    /// Adds entries that a user names. One that asks for the same file as a transfer of the list is not added again.
    ///
    /// - Parameter reply: called on any thread when the entries survive the end of the queue's process, with the number of those
    ///   that are new in the list. Not called when the queue ends or is out of reach before.
    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (Int) -> Void)
}
