import Synchronization

/// Merges the updates that a subscriber has not taken yet: a slow one gets fewer, larger updates, and the engine never waits for
/// it. While it takes nothing, the memory is bounded: one row and a number of events for each transfer, or `limit` of both.
package final class UpdateBuffer: UpdateSubscriber {
    fileprivate enum Loss {
        case none
        /// Pending updates were dropped because they exceeded the limit. Differences are ignored until the whole state comes.
        case dropped
        /// The same, and the whole state has been asked for.
        case reported
    }

    fileprivate struct Pending {
        var update: Update?
        /// Above this number of events, events are merged.
        var room = 0
        var loss = Loss.none
    }

    private let pending = Mutex(Pending())
    private let limit: Int
    private let wake: @Sendable () -> Void
    private let loss: @Sendable (UpdateBuffer) -> Void

    /// - Parameters:
    ///   - limit: the most rows and the most events that are kept of differences. When there are more, all are dropped.
    ///   - loss: called by the `take` after a drop; should subscribe the buffer again, so that it gets a snapshot.
    ///   - wake: called when an update arrives in the empty buffer, and after a drop; on any thread, must not block.
    package init(
        limit: Int = .max, loss: @escaping @Sendable (UpdateBuffer) -> Void = { _ in },
        wake: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.loss = loss
        self.wake = wake
    }

    /// Merges an update into the pending one. May be called on any thread; never waits.
    package func post(_ given: Update) {
        var update = given
        // They are carried out by a subscriber without a buffer: kept here, they would grow without bound.
        update.hookCalls = []
        let isNews = pending.withLock { $0.put(update, limit: limit) }
        if isNews { wake() }
    }

    /// The merged updates since the last call; `nil` when there were none, and when they were dropped: then a snapshot follows.
    package func take() -> Update? {
        let (update, isLoss) = pending.withLock { pending in
            let isLoss = pending.loss == .dropped
            if isLoss { pending.loss = .reported }
            defer { pending.update = nil }
            return (pending.update, isLoss)
        }
        if isLoss { loss(self) }
        return update
    }
}

extension UpdateBuffer.Pending {
    /// - Returns: whether the subscriber must be woken.
    fileprivate mutating func put(_ next: Update, limit: Int) -> Bool {
        if loss != .none {
            guard next.base == nil else { return false }
            loss = .none
        }
        let wasEmpty = update == nil
        if wasEmpty {
            update = next
            room = 0
        } else {
            update?.merge(next)
            makeRoom()
        }
        if let update, update.base != nil, max(update.rows.count, update.events.count) > limit {
            (self.update, loss) = (nil, .dropped)
        }
        return wasEmpty
    }

    private mutating func makeRoom() {
        guard let count = update?.events.count, count > room else { return }
        let least = [FeedEvent].room(for: update?.totals.count ?? 0)
        if count > least { update?.events.makeRoom(least) }
        // If more events than the bound cannot be merged, try again only after their number has doubled.
        room = max(least, 2 * (update?.events.count ?? 0))
    }
}
