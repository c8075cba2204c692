import Synchronization

/// Merges the updates that a front end has not taken yet: a slow front end gets fewer, larger updates, and the engine never
/// waits for it. While a front end takes nothing, the memory is bounded by a number of events for each transfer.
package final class UpdateBuffer: Sendable {
    fileprivate struct Pending {
        var update: Update?
        /// Above this number of events, events are merged.
        var room = 0
    }

    private let pending = Mutex(Pending())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called when an update arrives in the empty mailbox; on any thread, must not block.
    package init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// Merges an update into the pending one. May be called on any thread; never waits.
    package func post(_ update: Update) {
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

    /// The merged updates since the last call; `nil` when there were none.
    package func take() -> Update? {
        pending.withLock { pending in
            defer { pending.update = nil }
            return pending.update
        }
    }
}

extension UpdateBuffer.Pending {
    mutating func makeRoom() {
        guard let count = update?.events.count, count > room else { return }
        let least = [FeedEvent].room(for: update?.totals.count ?? 0)
        if count > least { update?.events.makeRoom(least) }
        // If more events than the bound cannot be merged, try again only after their number has doubled.
        room = max(least, 2 * (update?.events.count ?? 0))
    }
}
