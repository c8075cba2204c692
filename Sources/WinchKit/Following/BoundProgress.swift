import Synchronization
import WinchModel

/// The transfer and direction to which a receiver is bound. Each slot has at most one receiver.
struct BindingSlot: Hashable, Sendable {
    let transfer: TransferID
    let direction: Direction

    /// The slots of both directions.
    static func both(of transfer: TransferID) -> [BindingSlot] {
        [Direction.down, .up].map { BindingSlot(transfer: transfer, direction: $0) }
    }
}

/// The stream of states for one bound receiver.
final class BoundProgress: Sendable {
    let slot: BindingSlot
    let stream: AsyncStream<Transfer.Progress>
    private let continuation: AsyncStream<Transfer.Progress>.Continuation
    /// The transfer has this direction. In the other one it moves nothing.
    private let isOwn: Bool
    private let released = Atomic(false)

    init(_ slot: BindingSlot, isOwn: Bool) {
        self.slot = slot
        self.isOwn = isOwn
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Another receiver was bound to the slot, or this one was unbound: states that are still in the stream must not be shown.
    var isReleased: Bool { released.load(ordering: .acquiring) }

    /// The state as shown in the direction of the slot.
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
