public import WinchModel

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
        let slot = BindingSlot(transfer: id, direction: direction)
        let bound = BoundProgress(slot, isOwn: direction == spec.direction)
        let (present, isOver) = queue.hub.bind(bound)
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
        let hub = queue.hub
        task = show.map { show in
            Task.detached {
                // The stream ends after the last state, when another receiver is bound to the slot, and by `unbind`.
                for await progress in bound.stream {
                    guard !bound.isReleased, show(progress) else { break }
                }
                hub.unbind(bound)
            }
        }
        if task == nil { hub.unbind(bound) }
    }

    deinit { unbind() }

    /// Ends the binding. The receiver gets no further calls, except one that has already begun.
    public func unbind() {
        queue.hub.unbind(bound)
        task?.cancel()
    }
}
