/// The events of a queue, from the start of the loop until the queue is closed.
///
/// A follower that is slow gets fewer `bytes` events of each transfer. One that falls very far behind gets a `missed` in
/// place of the oldest events.
public struct EventSequence: AsyncSequence, Sendable {
    public typealias Element = NetworkQueue.Event
    public typealias Failure = Never

    let queue: NetworkQueue

    /// Starts to collect events.
    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    /// Returns the events to one loop, and keeps the queue running.
    public struct Iterator: AsyncIteratorProtocol {
        private let membership: Membership
        private var signals: AsyncStream<Void>.Iterator

        init(queue: NetworkQueue) {
            membership = Membership(queue: queue)
            signals = membership.mailbox.signals.makeAsyncIterator()
        }

        /// Waits for the next event; `nil` after the last one, and when the task is cancelled.
        public mutating func next() async -> NetworkQueue.Event? { await next(isolation: nil) }

        /// The same on the actor of the caller.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkQueue.Event? {
            while true {
                if let event = membership.mailbox.take() { return event }
                if await signals.next(isolation: actor) == nil { return membership.mailbox.take() }
            }
        }
    }

    /// Registers the mailbox with the queue until the iterator is released.
    private final class Membership: Sendable {
        let queue: NetworkQueue
        let mailbox: EventBuffer

        init(queue: NetworkQueue) {
            self.queue = queue
            mailbox = queue.hub.followEvents()
        }

        deinit { queue.hub.forget(mailbox) }
    }
}
