public import WinchCore
import WinchEngine

/// One file in a ``NetworkQueue``. A light value: copies speak of the same transfer, and each keeps the queue at work.
public struct Transfer: Sendable, Identifiable {
    /// Given in the order of adding, from 1; never used twice in a queue. Events carry it.
    public let id: TransferID
    /// What was asked for.
    public let spec: TransferSpec
    let queue: NetworkQueue

    /// Closes the connection and keeps the part. Nothing happens to a settled transfer.
    public func pause() { queue.inbox.send(.pause([id])) }

    /// Lets a paused transfer go on where it was.
    public func resume() { queue.inbox.send(.resume([id])) }

    /// Closes the connection and removes the part. A complete file stays.
    public func cancel() { queue.inbox.send(.cancel([id])) }

    /// Starts a failed or cancelled transfer again; one that waits for its next attempt starts at once.
    ///
    /// From here on it counts as not settled: ``result()`` waits for the new end.
    public func retry() {
        queue.hub.retry([id]) { queue.inbox.send(.retry([id])) }
    }

    /// The progress of this transfer, from now until it is settled or the queue is closed.
    ///
    /// Each loop over it follows on its own. One that is slow misses what lies between, never the last state, after
    /// which the sequence ends. Of a settled transfer it gives that state and ends.
    public var progress: ProgressSequence<Progress> {
        ProgressSequence(queue: queue) { [id] hub in hub.follow(id) }
    }

    /// How it stands now; `nil` until the engine has taken it in, an instant after it was added.
    public var latest: Progress? { queue.hub.latest(of: id) }

    /// Waits until it is settled or the queue is closed.
    ///
    /// - Returns: how it ended, or how it stood when the waiting task was cancelled.
    public func result() async -> TransferResult {
        var last = latest
        for await progress in progress { last = progress }
        return TransferResult(id: id, spec: spec, progress: last)
    }
}
