/// The numbers of a scenario by name, for the command line.
extension FleetScenario {
    enum InvalidParameter: Error, Equatable {
        /// It is not `name=number`, with a number above 0.
        case noNumber(String)
        case unknown(String)
    }

    static let counts: [String: any WritableKeyPath<FleetScenario, Int> & Sendable] = [
        "workers": \.workers, "entries": \.entries, "jobs": \.jobs, "ahead": \.ahead, "hosts": \.hosts,
        "host-limit": \.hostLimit, "gate": \.gate, "most-pending": \.mostPending, "most-waiting": \.mostWaiting,
    ]

    static let numbers: [String: any WritableKeyPath<FleetScenario, Double> & Sendable] = [
        "mean-size": \.meanSize, "line": \.line, "connection-rate": \.connectionRate, "overhead": \.overhead,
        "worker-cpu": \.workerCPU, "submit-rate": \.submitRate, "deaths-per-hour": \.deathsPerHour,
        "restart-time": \.restartTime, "ack-wait": \.ackWait, "signs": \.signsPerSecond, "updates": \.updatesPerSecond,
        "submit-memory": \.submitMemory, "result-memory": \.resultMemory, "server-cores": \.machine.cores,
        "server-memory": \.machine.memory, "server-disk": \.machine.disk, "cost-submit": \.costs.submit,
        "cost-deliver": \.costs.deliver, "cost-store": \.costs.store, "cost-pass": \.costs.pass,
        "identity-memory": \.costs.identityMemory, "message-memory": \.costs.messageMemory,
        "entry-disk": \.costs.entryDisk, "result-disk": \.costs.resultDisk,
    ]

    /// Takes `workers=1000`, `entries=1e8`.
    mutating func take(_ text: String) throws(InvalidParameter) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let value = Double(parts[1]), value.isFinite, value >= 0, value < 1e15 else {
            throw .noNumber(text)
        }
        // Only deaths and costs may be none.
        if let path = Self.counts[parts[0]] {
            guard value >= 1 else { throw .noNumber(text) }
            self[keyPath: path] = Int(value)
        } else if let path = Self.numbers[parts[0]] {
            guard value > 0 || ["deaths-per-hour", "overhead"].contains(parts[0]) else { throw .noNumber(text) }
            self[keyPath: path] = value
        } else {
            throw .unknown(parts[0])
        }
    }
}
