import Synchronization
import WinchModel

/// Orders on their way to the loop, in the order given. From any thread.
final class OrderInbox: Sendable {
    private let orders = Mutex<[TransportOrder]>([])
    private let loop: LoopExecutor

    init(of loop: LoopExecutor) { self.loop = loop }

    /// Wakes the loop for the first order since it last looked.
    func post(_ order: TransportOrder) {
        let isFirst = orders.withLock { orders in
            orders.append(order)
            return orders.count == 1
        }
        if isFirst { loop.wake() }
    }

    /// For the loop: the orders since the last call.
    func take() -> [TransportOrder] {
        orders.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }
}

extension OrderInbox: FileServicesClient {
    func finished(_ results: [FinishResult]) { post(.finished(results)) }
    func wrote(_ checkpoint: Checkpoint) { post(.wrote(checkpoint)) }
    func hashed(_ progress: FinishProgress) { post(.verified(progress)) }
    func checked(_ piece: PieceCheck, failure: TransferFailure?) { post(.checkedPiece(piece, failure)) }
    func checked(_ file: ExistingFile, isWanted: Bool) { post(.checked(file, isWanted: isWanted)) }
}
