import Synchronization

/// Holds the changes that a face has not taken yet: a slow face gets fewer, larger updates and the engine never waits.
public final class Mailbox: Sendable {
    private let pending = Mutex<Update?>(nil)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called when the box turns from empty to full; any thread, must not block.
    public init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Adds to what is not taken yet; any thread, never waits.
    public func post(_ update: Update) {
        let wasEmpty = pending.withLock { pending in
            guard pending == nil else {
                pending?.merge(update)
                return false
            }
            pending = update
            return true
        }
        if wasEmpty { wake() }
    }

    /// Everything since the last call, or `nil`.
    public func take() -> Update? {
        pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
    }
}
