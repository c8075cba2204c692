/// What happens in a queue, from the start of the loop until the queue is closed.
///
/// A follower that is slow finds `bytes` of the same transfer joined into one, and, should it stay behind for very long,
/// a `missed` in place of the oldest.
public struct EventSequence: AsyncSequence, Sendable {
    public typealias Element = NetworkQueue.Event
    public typealias Failure = Never

    let queue: NetworkQueue

    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    public struct Iterator: AsyncIteratorProtocol {
        private let membership: Membership
        private var signals: AsyncStream<Void>.Iterator

        init(queue: NetworkQueue) {
            membership = Membership(queue: queue)
            signals = membership.mailbox.signals.makeAsyncIterator()
        }

        /// The next event; `nil` after the last, and when the task is cancelled.
        public mutating func next() async -> NetworkQueue.Event? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkQueue.Event? {
            while true {
                if let event = membership.mailbox.take() { return event }
                if await signals.next(isolation: actor) == nil { return membership.mailbox.take() }
            }
        }
    }

    /// Ends with the iterator.
    private final class Membership: Sendable {
        let queue: NetworkQueue
        let mailbox: EventMailbox

        init(queue: NetworkQueue) {
            self.queue = queue
            mailbox = queue.hub.followEvents()
        }

        deinit { queue.hub.forget(mailbox) }
    }
}
