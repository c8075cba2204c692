import Synchronization
import WinchCore

/// Where a receiver is bound: one at a time.
struct BindingSlot: Hashable, Sendable {
    let transfer: TransferID
    let direction: Direction

    static func both(of transfer: TransferID) -> [BindingSlot] {
        [Direction.down, .up].map { BindingSlot(transfer: transfer, direction: $0) }
    }
}

/// Brings a bound receiver what it is to show.
final class BoundProgress: Sendable {
    let slot: BindingSlot
    let stream: AsyncStream<Transfer.Progress>
    private let continuation: AsyncStream<Transfer.Progress>.Continuation
    /// The transfer moves bytes in this direction.
    private let isOwn: Bool
    private let released = Atomic(false)

    init(_ slot: BindingSlot, isOwn: Bool) {
        self.slot = slot
        self.isOwn = isOwn
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Another has taken the place, or the receiver was let go: what is still in the stream is not for it.
    var isReleased: Bool { released.load(ordering: .acquiring) }

    /// As seen in this direction.
    func view(_ progress: Transfer.Progress) -> Transfer.Progress { isOwn ? progress : progress.ofNothing }

    func give(_ progress: Transfer.Progress, isLast: Bool) {
        // In the other direction nothing changes but the end.
        if isOwn || isLast { continuation.yield(view(progress)) }
    }

    func release() {
        released.store(true, ordering: .releasing)
        continuation.finish()
    }

    /// After the last state.
    func finish() { continuation.finish() }
}
