/// The progress of a transfer or of the queue: the present state, then every change. It ends after the last state.
///
/// For a follower that is slow only the latest value is kept.
public struct ProgressSequence<Progress: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Progress
    public typealias Failure = Never

    private let queue: NetworkQueue
    private let follow: @Sendable (UpdateBroadcaster) -> AsyncStream<Progress>

    init(queue: NetworkQueue, follow: @escaping @Sendable (UpdateBroadcaster) -> AsyncStream<Progress>) {
        self.queue = queue
        self.follow = follow
    }

    /// Starts to follow.
    public func makeAsyncIterator() -> Iterator {
        Iterator(queue: queue, stream: follow(queue.hub).makeAsyncIterator())
    }

    /// Returns the states to one loop, and keeps the queue running.
    public struct Iterator: AsyncIteratorProtocol {
        /// Referenced so that the queue runs as long as it is followed.
        let queue: NetworkQueue
        var stream: AsyncStream<Progress>.Iterator

        /// Waits for the next state; `nil` after the last one, and when the task is cancelled.
        public mutating func next() async -> Progress? { await stream.next() }

        /// The same on the actor of the caller.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Progress? {
            await stream.next(isolation: actor)
        }
    }
}
