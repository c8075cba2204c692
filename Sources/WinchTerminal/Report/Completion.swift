import Synchronization

/// Signals that the engine has ended: its last update is in the mailbox, and no other follows.
public final class Completion: Sendable {
    private let flag = Atomic(false)
    private let wake: WakePort

    public init(wake: WakePort) {
        self.wake = wake
    }

    public var isFinished: Bool { flag.load(ordering: .acquiring) }

    /// May be called on any thread.
    public func finish() {
        flag.store(true, ordering: .releasing)
        wake.wake()
    }
}
