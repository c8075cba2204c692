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
        queue.broadcaster.retry([id]) { queue.inbox.send(.retry([id])) }
    }

    /// The progress of this transfer, from now until it is settled or the queue is closed.
    ///
    /// Each loop follows independently. A slow loop misses intermediate states but never the last one, after which the
    /// sequence ends. For a settled transfer the sequence has one value, the final state.
    public var progress: ProgressSequence<Progress> {
        ProgressSequence(queue: queue) { [id] broadcaster in broadcaster.follow(id) }
    }

    /// The state in the latest update of the engine; `nil` until the engine has accepted the transfer, shortly after `add`.
    public var latest: Progress? { queue.broadcaster.latest(of: id) }

    /// Waits until the transfer is settled or the queue is closed.
    ///
    /// - Returns: the result; its ending is `unfinished` when the queue was closed or the waiting task was cancelled before.
    public func result() async -> TransferResult {
        var last = latest
        for await progress in progress { last = progress }
        return TransferResult(id: id, spec: spec, progress: last)
    }
}

extension Transfer {
    /// The state of one transfer. Values that are not known are `nil`.
    public struct Progress: Hashable, Sendable {
        /// The phase, with the data to describe it.
        public var phase: TransferPhase
        /// The file's name on disk, or the expected one. It comes from outside: escape it before it is shown.
        public var name: String
        /// Bytes on disk, those of earlier attempts included.
        public var completed: ByteCount
        /// The file's size; `nil` while it is not known.
        public var total: ByteCount?
        /// The size is not known, or not from the response whose body is being received.
        public var isEstimated: Bool
        /// 0...1, exactly 1 when finished and never before; `nil` while the size is not known. A failed or cancelled
        /// transfer keeps the fraction at which it stopped.
        public var fraction: Double?
        /// The current rate; `nil` while nothing moves and while it is too early to estimate.
        public var rate: ByteRate?
        /// Time until the last byte arrives if the rate stays the same; `nil` while it cannot be estimated.
        public var timeLeft: Duration?
        /// Time since the last byte while the transfer is stalled; `nil` while bytes arrive.
        public var stalledFor: Duration?
        /// Time until the next attempt; `nil` when none is waited for.
        public var retriesIn: Duration?
        /// The last time that `completed` or `fraction` decreased, and why.
        public var rebase: Rebase?

        /// Finished, failed or cancelled.
        public var isSettled: Bool { phase.isSettled }

        init(_ row: TransferSnapshot, at now: Moment) {
            phase = row.phase
            name = row.name
            completed = row.have
            total = row.size.known
            isEstimated = row.size.confidence < SizeKnowledge.declared(.zero).confidence
            fraction = row.fraction
            rate = row.rate
            timeLeft = row.finish.map { max(.zero, $0 - now) }
            stalledFor = row.stalledSince.map { max(.zero, now - $0) }
            if case .backoff(let until, _, _, _) = row.phase { retriesIn = max(.zero, until - now) }
            rebase = row.rebase
        }

        /// The state in the direction that the transfer does not have.
        var ofNothing: Progress {
            var other = self
            (other.completed, other.total, other.isEstimated) = (.zero, .zero, false)
            if case .finished = phase { other.fraction = 1 } else { other.fraction = 0 }
            (other.rate, other.timeLeft, other.stalledFor, other.rebase) = (nil, nil, nil, nil)
            return other
        }
    }
}

extension Transfer {
    /// Binds a closure to one direction of this transfer, in place of the receiver that was bound there.
    ///
    /// `show` is called with the present state, if there is one, before this method returns, then for every change until the
    /// transfer is settled. For a settled transfer it is called once, with the final state. In the direction that the transfer
    /// does not have, the progress is 0 of 0 bytes, complete when the transfer is finished.
    ///
    /// - Parameters:
    ///   - direction: `.down` or `.up`.
    ///   - show: called as ``ProgressReceiver/show(_:)``.
    /// - Returns: the binding. It lasts, and keeps the queue running, as long as this object is referenced.
    public func bind(
        _ direction: Direction, to show: @escaping @Sendable (Transfer.Progress) -> Void
    ) -> ProgressBinding {
        bind(direction) { progress in
            show(progress)
            return true
        }
    }

    /// Binds an object. It is referenced weakly; the binding ends when the object is released.
    public func bind(_ direction: Direction, to receiver: some ProgressReceiver) -> ProgressBinding {
        bind(direction) { [weak receiver] progress in
            receiver?.show(progress)
            return receiver != nil
        }
    }

    /// - Parameter show: returns false when the receiver has been released.
    private func bind(
        _ direction: Direction, _ show: @escaping @Sendable (Transfer.Progress) -> Bool
    ) -> ProgressBinding {
        let bound = BoundProgress(id, direction, isOwn: direction == spec.direction)
        let (present, isOver) = queue.broadcaster.bind(bound)
        let isWanted = present.map(show) ?? true
        return ProgressBinding(bound, queue: queue, show: isOver || !isWanted ? nil : show)
    }
}

/// Keeps a receiver bound to a transfer. The binding ends when this object is released or ``unbind()`` is called; a call of
/// the receiver that has already begun may end later.
public final class ProgressBinding: Sendable {
    private let bound: BoundProgress
    private let task: Task<Void, Never>?
    private let queue: NetworkQueue

    /// - Parameter show: `nil` when there are no more states to show.
    init(_ bound: BoundProgress, queue: NetworkQueue, show: (@Sendable (Transfer.Progress) -> Bool)?) {
        self.bound = bound
        self.queue = queue
        let broadcaster = queue.broadcaster
        task = show.map { show in
            Task.detached {
                // The stream ends after the last state, when another receiver is bound in its place, and by `unbind`.
                for await progress in bound.stream {
                    guard !bound.isReleased, show(progress) else { break }
                }
                broadcaster.unbind(bound)
            }
        }
        if task == nil { broadcaster.unbind(bound) }
    }

    deinit { unbind() }

    /// Ends the binding. The receiver gets no further calls, except one that has already begun.
    public func unbind() {
        queue.broadcaster.unbind(bound)
        task?.cancel()
    }
}

/// The result of one transfer.
public struct TransferResult: Hashable, Sendable, Identifiable {
    /// The transfer.
    public let id: TransferID
    /// The first URL of the transfer, without a login.
    public let url: String
    /// How it ended.
    public let ending: Ending
    /// The path of the file, including the target folder as given; `nil` unless finished, and for an upload.
    public let path: String?
    /// Bytes on disk, in the file or in the part file; of an upload bytes sent.
    public let bytes: ByteCount

    /// How a transfer ended.
    public enum Ending: Hashable, Sendable {
        /// The file is complete.
        case finished(TransferPhase.Outcome)
        /// It failed and was not retried.
        case failed(TransferFailure)
        /// It was cancelled; the part file is removed.
        case cancelled
        /// The queue was closed, or the waiting task was cancelled, before the transfer was settled; the part file is kept.
        case unfinished
    }

    init(id: TransferID, spec: TransferSpec, progress: Transfer.Progress?) {
        self.id = id
        url = spec.urls.first?.redacted ?? ""
        ending = progress.map { Ending($0.phase) } ?? .unfinished
        bytes = progress?.completed ?? .zero
        if case .finished(let outcome) = ending, spec.direction == .down {
            path = spec.folder.hasSuffix("/") ? spec.folder + outcome.path : spec.folder + "/" + outcome.path
        } else {
            path = nil
        }
    }
}

extension TransferResult.Ending {
    fileprivate init(_ phase: TransferPhase) {
        switch phase {
        case .finished(let outcome): self = .finished(outcome)
        case .failed(let failure): self = .failed(failure)
        case .cancelled: self = .cancelled
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .replying, .verifying: self = .unfinished
        }
    }
}
