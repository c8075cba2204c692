import Synchronization
import WinchCore

extension Hub {
    /// Each stream ends after the last state; a follower that is gone is forgotten.
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

    func followEvents() -> EventMailbox {
        let mailbox = EventMailbox()
        let isOver = state.withLock { state in
            if !state.hasEnded { state.follows.add(mailbox) }
            return state.hasEnded
        }
        if isOver { mailbox.end() }
        return mailbox
    }

    func forget(_ mailbox: EventMailbox) {
        forget { $0.remove(mailbox) }
    }

    /// - Returns: the present state, if there is one, and whether that is the last.
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

    /// What is let go is released outside of the lock.
    private func forget<Gone: Sendable>(_ removal: @Sendable (inout Follows) -> Gone?) {
        _ = state.withLock { removal(&$0.follows) }
    }
}
