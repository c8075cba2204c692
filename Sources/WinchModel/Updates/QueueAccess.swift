/// A queue as front ends see and steer it, wherever it runs. Everything may be called on any thread, and nothing waits for the
/// queue.
package protocol QueueAccess: Sendable {
    /// Passes on what changes in the queue, and says when it has ended.
    var feed: UpdateFeed { get }

    /// The effect of a command is in a later update.
    func send(_ command: Command)

    /// Adds entries that a user names. One that asks for the same file as a transfer of the list is not added again, and an
    /// upload is refused that would replace the file of another one in the list.
    ///
    /// - Parameter reply: called on any thread, once: when the entries survive the end of the queue's process, or are refused.
    ///   Not called when this process leaves the queue before.
    func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void)
}

/// What became of entries that were given to a queue.
package enum AdditionReply: Sendable, Equatable {
    /// So many are new in the list. Others are not in it, for the reasons in `refused`, for people; the rest was in it, and so
    /// many of the rest had settled and were started again.
    case added(Int, startedAnew: Int = 0, refused: [String] = [])
    /// Why none is known to be in the list, for people.
    case refused(String)

    /// What became of entries that are not new, as it follows their number: `, 1 started anew, 2 in the list already`.
    ///
    /// - Parameter known: how many were in the list, including those that were started anew.
    package static func words(ofKnown known: Int, startedAnew: Int) -> String {
        [(startedAnew, "started anew"), (known - startedAnew, "in the list already")].filter { $0.0 > 0 }
            .map { ", \(NumberFormat.count($0.0)) \($0.1)" }.joined()
    }
}
