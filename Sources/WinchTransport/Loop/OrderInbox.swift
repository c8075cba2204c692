import Synchronization
import WinchModel

/// Orders on their way to the loop, in the order given. From any thread.
final class OrderInbox: Sendable {
    private let orders = Mutex<[TransportOrder]>([])
    private let loop: LoopExecutor

    init(of loop: LoopExecutor) { self.loop = loop }

    /// Wakes the loop for the first order since it last looked.
    func post(_ order: @escaping TransportOrder) {
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
    func finished(_ results: [FinishResult]) {
        post { transport in for result in results { transport.finished(result) } }
    }
    func wrote(_ checkpoint: Checkpoint) { post { $0.wrote(checkpoint) } }
    func hashed(_ progress: FinishProgress) {
        let (hashed, size) = (ByteCount(bytes: progress.hashed), ByteCount(bytes: progress.size))
        post { $0.outbox.report(progress.connection, .verified(hashed, of: size)) }
    }
    func checked(_ piece: PieceCheck, failure: TransferFailure?) { post { $0.checked(piece, failure) } }
    func checked(_ file: ExistingFile, failure: TransferFailure?) { post { $0.checked(file, failure) } }
}

/// What the loop is asked to do, from any thread.
typealias TransportOrder = @Sendable (isolated CurlTransport) -> Void

/// The reports of one turn of the loop, sent together; those on which nothing depends may wait for the next ones. Used on
/// one thread only.
final class Outbox {
    /// The instant of this turn, read once.
    var now: Moment
    private var reports: [TransportReport] = []
    private var isUrgent = false
    private let send: @Sendable ([TransportReport]) -> Void

    init(now: Moment, send: @escaping @Sendable ([TransportReport]) -> Void) {
        self.now = now
        self.send = send
    }

    func report(_ connection: ConnectionID, _ event: TransportEvent) {
        reports.append(TransportReport(connection, at: now, event: event))
        if !event.mayWait { isUrgent = true }
    }

    /// 10 ms: a small file is complete by then, and its reports are one message to the engine instead of three.
    static let patience = Duration.milliseconds(10)

    /// Sends the reports if one of them is urgent or has waited for long enough.
    ///
    /// - Returns: when the rest must be sent; `nil`: nothing waits.
    func flushDue() -> Moment? {
        if !isUrgent, let due = reports.first.map({ $0.at + Self.patience }), now < due { return due }
        flush()
        return nil
    }

    func flush() {
        guard !reports.isEmpty else { return }
        isUrgent = false
        let batch = reports
        reports = []
        reports.reserveCapacity(batch.count)
        send(batch)
    }
}

extension TransportEvent {
    /// The engine does nothing because of it alone that could not be done a few milliseconds later.
    fileprivate var mayWait: Bool {
        switch self {
        case .requested, .connected, .demanded: true
        case .opened(let opening): opening.total.map { $0 <= Self.smallFile } ?? false
        default: false
        }
    }

    /// 64 KiB: its body comes with its head, or soon after.
    private static let smallFile = ByteCount(bytes: 64 << 10)
}

/// What the user has typed for an origin.
struct TypedLogin: Sendable {
    let user: String
    let password: Secret
    /// Users whose logins the server has refused; `nil`: one without a name.
    let refused: Set<String?>

    /// - Parameter other: the user whom a transfer names.
    func replaces(_ other: String?) -> Bool { other == user || refused.contains(other) }
}
