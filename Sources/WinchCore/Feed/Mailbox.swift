import Synchronization

/// Holds the changes that a front end has not taken yet: a slow one gets fewer, larger updates and the engine never waits.
/// One that takes nothing at all costs no more than a bounded number of events for each transfer.
public final class Mailbox: Sendable {
    fileprivate struct Pending {
        var update: Update?
        /// Above so many events they are joined.
        var room = 0
    }

    private let pending = Mutex(Pending())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called when the box turns from empty to full; any thread, must not block.
    public init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Adds to what is not taken yet; any thread, never waits.
    public func post(_ update: Update) {
        let wasEmpty = pending.withLock { pending in
            guard pending.update == nil else {
                pending.update?.merge(update)
                pending.makeRoom()
                return false
            }
            pending.update = update
            pending.room = 0
            return true
        }
        if wasEmpty { wake() }
    }

    /// Everything since the last call, or `nil`.
    public func take() -> Update? {
        pending.withLock { pending in
            defer { pending.update = nil }
            return pending.update
        }
    }
}

extension Mailbox.Pending {
    mutating func makeRoom() {
        guard let count = update?.events.count, count > room else { return }
        let least = [FeedEvent].room(for: update?.totals.count ?? 0)
        if count > least { update?.events.makeRoom(least) }
        // What cannot be joined may be more than the room: then it is looked at again when there is twice as much.
        room = max(least, 2 * (update?.events.count ?? 0))
    }
}
