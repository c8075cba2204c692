import Synchronization
import WinchCore

/// What the loop is asked to do, from any thread.
enum Order: Sendable {
    case start(StartRequest)
    case stop(TransferID, Stamp, discarding: Bool)
    case discard(TransferID, ResumePoint?, folder: String, addresses: [TransferURL])
    case probe(ProbeRequest)
    case stopProbe(TransferID)
    case limit(TransferID, ByteRate?)
    case finished([FinishResult])
    case checked(ExistingFile, isWanted: Bool)
    case wrote(Checkpoint)
    case verified(FinishProgress)
    case looked(host: String, NameLookup.Answer)
    case trust(HostKey, remembering: Bool)
    case unlock(keyFile: String, Secret)
    case shutDown(CheckedContinuation<Void, Never>)
}

/// Orders on their way to the loop, in the order given.
final class Inbox: Sendable {
    private let orders = Mutex<[Order]>([])

    /// - Returns: true when the loop must be woken: for the first order since it last looked.
    func put(_ order: Order) -> Bool {
        orders.withLock { orders in
            orders.append(order)
            return orders.count == 1
        }
    }

    func take() -> [Order] {
        orders.withLock { orders in
            defer { orders = [] }
            return orders
        }
    }
}
