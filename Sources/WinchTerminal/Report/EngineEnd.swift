import Synchronization

/// Signals that the engine has ended: its last update is in the mailbox, and no other follows.
package final class EngineEnd: Sendable {
    private let flag = Atomic(false)
    private let wake: WakePort

    package init(wake: WakePort) {
        self.wake = wake
    }

    package var isFinished: Bool { flag.load(ordering: .acquiring) }

    /// May be called on any thread.
    package func finish() {
        flag.store(true, ordering: .releasing)
        wake.wake()
    }
}
