import Synchronization

/// Receives the updates of a feed, such as a front end, the log file or a client of the library.
package protocol UpdateSubscriber: AnyObject, Sendable {
    /// Takes the next update, on the engine's thread; must not block.
    func post(_ update: Update)
    /// The queue has ended, and no update follows but the snapshot that the subscriber waits for. Called on any thread; must
    /// not block.
    func end()
}

extension UpdateSubscriber { package func end() {} }

/// Distributes the queue's updates to any number of subscribers. Each gets the whole state once, unless it has it, and from then
/// on the numbered differences without a gap.
///
/// The engine posts; subscribers may come and go on any thread. The feed never waits for a subscriber: what one does not take
/// is merged in its own `UpdateBuffer`.
package final class UpdateFeed: Sendable {
    fileprivate struct State {
        /// The number of the queue's state, after the last update.
        var number = 0
        /// They have the state `number`.
        var following: [any UpdateSubscriber] = []
        /// They wait for a snapshot.
        var joining: [any UpdateSubscriber] = []
        var log = RecentLog()
        /// Makes the engine post a snapshot soon.
        var request: @Sendable () -> Void = {}
        var hasEnded = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds a subscriber, or gives one that has lost its place a new start. After the end the subscriber is told so at once; an
    /// engine that still exists answers with the last state.
    ///
    /// - Parameter number: the number of the state that the subscriber has. Differences follow if the queue is still in that
    ///   state, else a snapshot comes first. 0 is the empty queue, before the engine runs; `nil`: none.
    package func subscribe(_ subscriber: any UpdateSubscriber, knowing number: Int? = 0) {
        let (request, hasEnded): ((@Sendable () -> Void)?, Bool) = state.withLock { state in
            state.remove(subscriber)
            if number == state.number {
                state.following.append(subscriber)
                return (nil, state.hasEnded)
            }
            state.joining.append(subscriber)
            return (state.request, state.hasEnded)
        }
        request?()
        if hasEnded { subscriber.end() }
    }

    /// Removes a subscriber. An update that is being posted may still reach it.
    package func unsubscribe(_ subscriber: any UpdateSubscriber) { state.withLock { $0.remove(subscriber) } }

    /// The queue has ended: its last update is with the subscribers.
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Call it after the last update, on any thread.
    package func end() {
        let subscribers = state.withLock { state in
            state.hasEnded = true
            return state.following + state.joining
        }
        for subscriber in subscribers { subscriber.end() }
    }
}

/// The engine's side. It makes one call at a time.
extension UpdateFeed {
    /// - Parameter request: called on any thread when a subscriber needs a snapshot; must not block.
    package func answer(by request: @escaping @Sendable () -> Void) {
        let isAwaited = state.withLock { state in
            state.request = request
            return !state.joining.isEmpty
        }
        if isAwaited { request() }
    }

    package var awaitsSnapshot: Bool { state.withLock { !$0.joining.isEmpty } }

    /// Passes a difference on to all subscribers that have the state before it.
    package func post(_ update: Update) {
        let following = state.withLock { state in
            state.number = update.number
            state.log.take(update)
            return state.following
        }
        for subscriber in following { subscriber.post(update) }
    }

    /// Passes the whole state on to all subscribers that wait for it.
    ///
    /// - Parameter snapshot: the state after the last difference.
    package func post(_ snapshot: QueueSnapshot) {
        let update = Update(snapshot)
        let joining = state.withLock { state in
            defer { state.joining = [] }
            state.number = snapshot.number
            state.following += state.joining
            return state.joining
        }
        for subscriber in joining { subscriber.post(update) }
    }

    /// The latest log entries, oldest first, for a snapshot.
    package var latestLog: [LogEntry] { state.withLock { Array($0.log.latest) } }
}

extension UpdateFeed.State {
    fileprivate mutating func remove(_ subscriber: any UpdateSubscriber) {
        following.removeAll { $0 === subscriber }
        joining.removeAll { $0 === subscriber }
    }
}

/// Merges the updates that a subscriber has not taken yet: a slow one gets fewer, larger updates, and the engine never waits for
/// it. While it takes nothing, the memory is bounded: one row and a number of events for each transfer.
package final class UpdateBuffer: UpdateSubscriber {
    fileprivate struct Pending {
        var update: Update?
        /// Above this number of events, events are merged.
        var room = 0
    }

    private let pending = Mutex(Pending())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called when an update arrives in the empty buffer, and at the end; on any thread, must not block.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Merges an update into the pending one. May be called on any thread; never waits.
    package func post(_ given: Update) {
        var update = given
        // They are carried out by a subscriber without a buffer: kept here, they would grow without bound.
        update.hookCalls = []
        let isNews = pending.withLock { $0.put(update) }
        if isNews { wake() }
    }

    package func end() { wake() }

    /// The merged updates since the last call; `nil` when there were none.
    package func take() -> Update? { pending.withLock { $0.update.take() } }
}

extension UpdateBuffer.Pending {
    /// - Returns: whether the subscriber must be woken.
    fileprivate mutating func put(_ next: Update) -> Bool {
        guard update != nil else {
            (update, room) = (next, 0)
            return true
        }
        update?.merge(next)
        makeRoom()
        return false
    }

    private mutating func makeRoom() {
        guard let count = update?.events.count, count > room else { return }
        let least = [FeedEvent].room(for: update?.totals.count ?? 0)
        if count > least { update?.events.makeRoom(least) }
        // If more events than the bound cannot be merged, try again only after their number has doubled.
        room = max(least, 2 * (update?.events.count ?? 0))
    }
}
