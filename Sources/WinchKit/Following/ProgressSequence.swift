/// The progress of a transfer or of the queue: the present state, then every change, the last state, the end.
///
/// At most one value is kept for a follower that is slow: the latest.
public struct ProgressSequence<Progress: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Progress
    public typealias Failure = Never

    private let queue: NetworkQueue
    private let follow: @Sendable (Hub) -> AsyncStream<Progress>

    init(queue: NetworkQueue, follow: @escaping @Sendable (Hub) -> AsyncStream<Progress>) {
        self.queue = queue
        self.follow = follow
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(queue: queue, stream: follow(queue.hub).makeAsyncIterator())
    }

    public struct Iterator: AsyncIteratorProtocol {
        /// At work as long as it is followed.
        let queue: NetworkQueue
        var stream: AsyncStream<Progress>.Iterator

        /// The next state; `nil` after the last, and when the task is cancelled.
        public mutating func next() async -> Progress? { await stream.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Progress? {
            await stream.next(isolation: actor)
        }
    }
}
