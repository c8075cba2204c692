import Synchronization
package import WinchModel

/// A queue that records what it is asked to do. What its feed says is for the test.
package final class RecordingQueue: QueueAccess {
    package let feed: UpdateFeed
    private let commands = Mutex<[Command]>([])
    private let entries = Mutex<[TransferSpec]>([])

    private let reply: AdditionReply?

    /// - Parameter reply: to all entries; `nil`: all are new.
    package init(feed: UpdateFeed = UpdateFeed(), reply: AdditionReply? = nil) {
        (self.feed, self.reply) = (feed, reply)
    }

    package var sent: [Command] { commands.withLock { $0 } }
    package var added: [TransferSpec] { entries.withLock { $0 } }

    package func send(_ command: Command) { commands.withLock { $0.append(command) } }

    package func add(_ specs: [TransferSpec], reply: @escaping @Sendable (AdditionReply) -> Void) {
        entries.withLock { $0 += specs }
        reply(self.reply ?? .added(specs.count))
    }
}
