public import WinchCore

extension Transfer {
    /// Binds a receiver to one direction of this transfer, in place of the one that was bound there.
    ///
    /// It is shown the present state before this returns, if there is one, then every change until the transfer is settled.
    /// Of a settled transfer it is shown the final state and is let go. In the direction that the transfer does not have,
    /// there is nothing to move: 0 of 0 bytes, complete when the transfer is finished.
    ///
    /// - Parameters:
    ///   - direction: `.down` or `.up`.
    ///   - show: see ``ProgressReceiver`` for how it is called.
    /// - Returns: what keeps the binding, and the queue, alive.
    public func bind(
        _ direction: Direction, to show: @escaping @Sendable (Transfer.Progress) -> Void
    ) -> ProgressBinding {
        bind(direction) { progress in
            show(progress)
            return true
        }
    }

    /// Binds an object, which is not kept alive: when it is gone, so is the binding.
    public func bind(_ direction: Direction, to receiver: some ProgressReceiver) -> ProgressBinding {
        bind(direction) { [weak receiver] progress in
            receiver?.show(progress)
            return receiver != nil
        }
    }

    /// - Parameter show: returns false when there is nobody to show it to any more.
    private func bind(
        _ direction: Direction, _ show: @escaping @Sendable (Transfer.Progress) -> Bool
    ) -> ProgressBinding {
        let slot = BindingSlot(transfer: id, direction: direction)
        let bound = BoundProgress(slot, isOwn: direction == spec.direction)
        let (present, isOver) = queue.hub.bind(bound)
        let isWanted = present.map(show) ?? true
        return ProgressBinding(bound, queue: queue, show: isOver || !isWanted ? nil : show)
    }
}

/// Keeps a receiver bound to a transfer. Dropping it, or calling ``unbind()``, lets the receiver go; a call that has begun
/// may still be finishing.
public final class ProgressBinding: Sendable {
    private let bound: BoundProgress
    private let task: Task<Void, Never>?
    private let queue: NetworkQueue

    /// - Parameter show: `nil` when nothing more is to be shown.
    init(_ bound: BoundProgress, queue: NetworkQueue, show: (@Sendable (Transfer.Progress) -> Bool)?) {
        self.bound = bound
        self.queue = queue
        let hub = queue.hub
        task = show.map { show in
            Task.detached {
                // The stream ends after the last state, when another takes the place, and when this one is let go.
                for await progress in bound.stream {
                    guard !bound.isReleased, show(progress) else { break }
                }
                hub.unbind(bound)
            }
        }
        if task == nil { hub.unbind(bound) }
    }

    deinit { unbind() }

    /// Lets the receiver go.
    public func unbind() {
        queue.hub.unbind(bound)
        task?.cancel()
    }
}
