public import WinchModel
import WinchQueue

/// One file in a ``NetworkQueue``. A small value: all copies refer to the same transfer, and each keeps the queue running.
public struct Transfer: Sendable, Identifiable {
    /// Identifies the transfer in events. Given in the order of adding, from 1, and never reused in a queue.
    public let id: TransferID
    /// The order as it was added.
    public let spec: TransferSpec
    let queue: NetworkQueue

    /// Closes the connection and keeps the part file. Has no effect on a settled transfer.
    public func pause() { queue.inbox.send(.pause([id])) }

    /// Continues a paused transfer from the bytes on disk.
    public func resume() { queue.inbox.send(.resume([id])) }

    /// Closes the connection and removes the part file. A complete file is kept.
    public func cancel() { queue.inbox.send(.cancel([id])) }

    /// Starts a failed or cancelled transfer again; one that waits for its next attempt starts at once.
    ///
    /// From this call on the transfer is not settled: ``result()`` waits for its new end.
    public func retry() {
        queue.hub.retry([id]) { queue.inbox.send(.retry([id])) }
    }

    /// The progress of this transfer, from now until it is settled or the queue is closed.
    ///
    /// Each loop follows independently. A slow loop misses intermediate states but never the last one, after which the
    /// sequence ends. For a settled transfer the sequence has one value, the final state.
    public var progress: ProgressSequence<Progress> {
        ProgressSequence(queue: queue) { [id] hub in hub.follow(id) }
    }

    /// The state in the latest update of the engine; `nil` until the engine has accepted the transfer, shortly after `add`.
    public var latest: Progress? { queue.hub.latest(of: id) }

    /// Waits until the transfer is settled or the queue is closed.
    ///
    /// - Returns: the result; its ending is `unfinished` when the queue was closed or the waiting task was cancelled before.
    public func result() async -> TransferResult {
        var last = latest
        for await progress in progress { last = progress }
        return TransferResult(id: id, spec: spec, progress: last)
    }
}
