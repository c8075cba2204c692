import WinchModel

/// The reports of one turn of the loop, sent together; those on which nothing depends may wait for the next ones. Used on
/// one thread only.
final class Outbox {
    /// The instant of this turn, read once.
    var now: Moment
    private var reports: [TransportReport] = []
    /// One of the reports must be sent in this turn.
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

    /// Sends all reports.
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
