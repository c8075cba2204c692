import Synchronization
import WinchModel

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
            signals = membership.buffer.signals.makeAsyncIterator()
        }

        /// Waits for the next event; `nil` after the last one, and when the task is cancelled.
        public mutating func next() async -> NetworkQueue.Event? { await next(isolation: nil) }

        /// The same on the actor of the caller.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkQueue.Event? {
            while true {
                if let event = membership.buffer.take() { return event }
                if await signals.next(isolation: actor) == nil { return membership.buffer.take() }
            }
        }
    }

    /// Registers the buffer with the queue until the iterator is released.
    private final class Membership: Sendable {
        let queue: NetworkQueue
        let buffer: EventBuffer

        init(queue: NetworkQueue) {
            self.queue = queue
            buffer = queue.broadcaster.followEvents()
        }

        deinit { queue.broadcaster.forget(buffer) }
    }
}

/// The events that one follower has not taken yet, up to a bound.
final class EventBuffer: Sendable {
    fileprivate struct Pending {
        /// The elements before `next` have been taken.
        var events: [NetworkQueue.Event] = []
        var next = 0
        /// How many events were dropped since the last `take`.
        var missed = 0

        var count: Int { events.count - next }
    }

    private let pending = Mutex(Pending())
    private let signal: AsyncStream<Void>.Continuation
    let signals: AsyncStream<Void>

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func put(_ events: [NetworkQueue.Event], room: Int) {
        guard !events.isEmpty else { return }
        pending.withLock { pending in
            for event in events { pending.append(event) }
            if pending.count > room { pending.makeRoom(room) }
        }
        signal.yield()
    }

    func take() -> NetworkQueue.Event? { pending.withLock { $0.take() } }

    /// Ends the buffer; events that are still in it can be taken.
    func end() { signal.finish() }
}

extension EventBuffer.Pending {
    mutating func append(_ event: NetworkQueue.Event) {
        if count > 0, let last = events.last, event.supersedes(last) { events.removeLast() }
        events.append(event)
    }

    mutating func take() -> NetworkQueue.Event? {
        if missed > 0 {
            defer { missed = 0 }
            return .missed(missed)
        }
        guard count > 0 else { return nil }
        defer {
            next += 1
            if next == events.count { (events, next) = ([], 0) }
        }
        return events[next]
    }

    /// Keeps only the last `bytes` of each transfer; if still more than `room` events are left, only the latest `room / 2`.
    mutating func makeRoom(_ room: Int) {
        var seen: Set<TransferID> = []
        var kept: [NetworkQueue.Event] = []
        for event in events[next...].reversed() {
            if case .bytes(let id, _, _) = event, !seen.insert(id).inserted { continue }
            kept.append(event)
        }
        if kept.count > room {
            missed += kept.count - room / 2
            kept.removeLast(kept.count - room / 2)
        }
        (events, next) = (kept.reversed(), 0)
    }
}

extension NetworkQueue.Event {
    /// Whether this event makes `earlier` obsolete.
    fileprivate func supersedes(_ earlier: NetworkQueue.Event) -> Bool {
        guard case .bytes(let id, _, _) = self, case .bytes(id, _, _) = earlier else { return false }
        return true
    }
}
