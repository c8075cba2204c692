import Synchronization
import WinchModel

extension UpdateBroadcaster {
    /// The states of a transfer: the present one first, then every change. The stream ends after the last state. When its
    /// reader is released, the stream is unregistered.
    func follow(_ id: TransferID) -> AsyncStream<Transfer.Progress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Transfer.Progress.self, bufferingPolicy: .bufferingNewest(1))
        let token: Int? = state.withLock { state in
            let record = state.records[id.number - 1]
            if let shown = record.shown { continuation.yield(shown) }
            guard !record.isSettled, !state.hasEnded else { return nil }
            return state.follows.add(continuation, of: id)
        }
        guard let token else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget { $0.remove(token, of: id) } }
        return stream
    }

    /// The states of the whole queue, in the same way.
    func follow() -> AsyncStream<NetworkQueue.Progress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: NetworkQueue.Progress.self, bufferingPolicy: .bufferingNewest(1))
        let token: Int? = state.withLock { state in
            let isOver = state.unsettled == 0 || state.hasEnded
            if isOver || !state.latest.isSettled { continuation.yield(state.latest) }
            return isOver ? nil : state.follows.add(continuation)
        }
        guard let token else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget { $0.remove(token) } }
        return stream
    }

    /// A mailbox that receives all events from now on, until `forget`.
    func followEvents() -> EventBuffer {
        let mailbox = EventBuffer()
        let isOver = state.withLock { state in
            if !state.hasEnded { state.follows.add(mailbox) }
            return state.hasEnded
        }
        if isOver { mailbox.end() }
        return mailbox
    }

    func forget(_ mailbox: EventBuffer) {
        forget { $0.remove(mailbox) }
    }

    /// Binds a receiver, in place of the one that was bound to its slot.
    ///
    /// - Returns: the present state, `nil` if there is none yet, and whether it is the last one.
    func bind(_ bound: BoundProgress) -> (present: Transfer.Progress?, isOver: Bool) {
        let (present, isOver, displaced) = state.withLock { state in
            let record = state.records[bound.slot.transfer.number - 1]
            let isOver = record.isSettled || state.hasEnded
            let displaced = isOver ? nil : state.follows.bind(bound)
            return (record.shown.map(bound.view), isOver, displaced)
        }
        displaced?.release()
        if isOver { bound.finish() }
        return (present, isOver)
    }

    func unbind(_ bound: BoundProgress) {
        bound.release()
        forget { $0.unbind(bound) }
    }

    /// Removes a follower. `removal` returns it, so that it is released after the lock, not under it.
    private func forget<Gone: Sendable>(_ removal: @Sendable (inout Subscriptions) -> Gone?) {
        _ = state.withLock { removal(&$0.follows) }
    }
}
