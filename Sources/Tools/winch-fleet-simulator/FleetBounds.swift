/// What a fleet outgrows, and at which size: closed forms of the costs that `SimulatedFleet` adds up, in the order in which they
/// are reached.
struct FleetBounds {
    struct Bound: Hashable {
        /// What is used up.
        var name: String
        /// Entries or workers.
        var unit: String
        /// The largest size that works.
        var size: Double
        /// The size of the scenario as a part of it: above 1 it does not work.
        var load: Double
    }

    let all: [Bound]

    init(_ scenario: FleetScenario) {
        let (costs, machine) = (scenario.costs, scenario.machine)
        let (entries, workers) = (Double(scenario.entries), Double(scenario.workers))
        // The fixed part of the memory: half of the machine is left to the file cache and the collector of garbage.
        let memory = machine.memory / 2 - workers * costs.connectionMemory
        // In the windows of both streams, and as a message of one of them.
        let perEntry = 2 * costs.identityMemory + costs.messageMemory
        let held = Double(scenario.jobs + scenario.ahead)
        let signs =
            scenario.signsPerSecond * costs.store + scenario.updatesPerSecond * costs.pass
            + held / scenario.renewalInterval * costs.pass
        func entriesBound(_ name: String, _ size: Double) -> Bound {
            Bound(name: name, unit: "entries", size: size, load: entries / size)
        }
        func workersBound(_ name: String, _ size: Double) -> Bound {
            Bound(name: name, unit: "workers", size: size, load: workers / size)
        }
        all = [
            entriesBound("memory for the identities of entries and results", max(0, memory) / perEntry),
            entriesBound("disk for the list, before workers begin", machine.disk / costs.entryDisk),
            entriesBound("disk for the results", machine.disk / costs.resultDisk),
            entriesBound(
                "one day of submitting, the window of duplicates", scenario.submitRate * scenario.submitMemory),
            workersBound("entries that may be with workers", Double(scenario.mostPending) / held),
            workersBound("requests that may wait", Double(scenario.mostWaiting) / Double(scenario.requestsOfWorker)),
            workersBound("CPU for signs of life, updates and renewals", machine.cores / signs),
            workersBound(
                "connections that the hosts admit", Double(scenario.hosts * scenario.hostLimit) / Double(scenario.jobs)),
        ].sorted { $0.load > $1.load }
    }

    /// Entries a second that the server can hand out and store the results of.
    static func mostEntriesPerSecond(_ costs: ServerCosts) -> Double { costs.streamCores / costs.deliver }
}
