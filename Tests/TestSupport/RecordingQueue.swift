import Synchronization
package import WinchModel

/// A queue that records what it is asked to do. What its feed says is for the test.
package final class RecordingQueue: QueueAccess {
    package let feed: UpdateFeed
    private let commands = Mutex<[Command]>([])
    private let entries = Mutex<[TransferSpec]>([])

    package init(feed: UpdateFeed = UpdateFeed()) { self.feed = feed }

    package var sent: [Command] { commands.withLock { $0 } }
    package var added: [TransferSpec] { entries.withLock { $0 } }

    package func send(_ command: Command) { commands.withLock { $0.append(command) } }

    package func add(_ specs: [TransferSpec], reply: @escaping @Sendable (Int) -> Void) {
        entries.withLock { $0 += specs }
        reply(specs.count)
    }
}
