import Synchronization
import WinchModel

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
        Iterator(queue: queue, stream: follow(queue.broadcaster).makeAsyncIterator())
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

/// The stream of states for one receiver, which is bound to a direction of a transfer. Each has at most one.
final class BoundProgress: Sendable {
    let transfer: TransferID
    let direction: Direction
    let stream: AsyncStream<Transfer.Progress>
    private let continuation: AsyncStream<Transfer.Progress>.Continuation
    /// The transfer has this direction. In the other one it moves nothing.
    private let isOwn: Bool
    private let released = Atomic(false)

    init(_ transfer: TransferID, _ direction: Direction, isOwn: Bool) {
        (self.transfer, self.direction, self.isOwn) = (transfer, direction, isOwn)
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Another receiver was bound in its place, or this one was unbound: states that are still in the stream must not be shown.
    var isReleased: Bool { released.load(ordering: .acquiring) }

    /// The state as shown in the direction.
    func view(_ progress: Transfer.Progress) -> Transfer.Progress { isOwn ? progress : progress.ofNothing }

    func give(_ progress: Transfer.Progress, isLast: Bool) {
        // In the other direction only the end is a change.
        if isOwn || isLast { continuation.yield(view(progress)) }
    }

    func release() {
        released.store(true, ordering: .releasing)
        continuation.finish()
    }

    /// Ends the stream after the last state.
    func finish() { continuation.finish() }
}

/// An object that shows a transfer's progress, such as a progress bar.
///
/// Calls are made one after the other, on any thread. A receiver that is slow gets the latest state with its next call, and
/// does not delay the transfer or other receivers.
public protocol ProgressReceiver: AnyObject, Sendable {
    /// Shows the state; called for the present state and for every change until the transfer is settled.
    func show(_ progress: Transfer.Progress)
}
