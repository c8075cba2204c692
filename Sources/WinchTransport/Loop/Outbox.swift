import WinchModel

/// The reports of one turn of the loop, sent together. Used on one thread only.
final class Outbox {
    /// The instant of this turn, read once.
    var now: Moment
    private var reports: [TransportReport] = []
    private let send: @Sendable ([TransportReport]) -> Void

    init(now: Moment, send: @escaping @Sendable ([TransportReport]) -> Void) {
        self.now = now
        self.send = send
    }

    func report(_ connection: ConnectionID, _ event: TransportEvent) {
        reports.append(TransportReport(connection, at: now, event: event))
    }

    func flush() {
        guard !reports.isEmpty else { return }
        let batch = reports
        reports = []
        reports.reserveCapacity(batch.count)
        send(batch)
    }
}
