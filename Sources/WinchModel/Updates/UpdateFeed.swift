import Synchronization

/// Receives the updates of a feed, such as a front end, the log file or a client of the library.
package protocol UpdateSubscriber: AnyObject, Sendable {
    /// Takes the next update, on the engine's thread; must not block.
    func post(_ update: Update)
}

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
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds a subscriber, or gives one that has lost its place a new start.
    ///
    /// - Parameter number: the number of the state that the subscriber has. Differences follow if the queue is still in that
    ///   state, else a snapshot comes first. 0 is the empty queue, before the engine runs; `nil`: none.
    package func subscribe(_ subscriber: any UpdateSubscriber, knowing number: Int? = 0) {
        let request: (@Sendable () -> Void)? = state.withLock { state in
            state.remove(subscriber)
            if number == state.number {
                state.following.append(subscriber)
                return nil
            }
            state.joining.append(subscriber)
            return state.request
        }
        request?()
    }

    /// Removes a subscriber. An update that is being posted may still reach it.
    package func unsubscribe(_ subscriber: any UpdateSubscriber) { state.withLock { $0.remove(subscriber) } }

    /// How many subscribers there are, those that wait for a snapshot included.
    package var count: Int { state.withLock { $0.following.count + $0.joining.count } }
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

    /// A subscriber waits for a snapshot.
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
