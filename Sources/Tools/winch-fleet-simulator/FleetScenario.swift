/// A run of a fleet, and the constants of WinchFleet. Times are in seconds, sizes in bytes.
struct FleetScenario {
    var workers = 1000
    var entries = 100_000_000
    /// Entries at work at once on each worker.
    var jobs = 8
    /// Entries that a worker has beside those at work.
    var ahead = 8
    /// Of a file; sizes are exponential.
    var meanSize = 1e6
    /// Of a worker, a second. Each differs by up to a quarter.
    var line = 125e6
    /// What one connection brings at most, a second.
    var connectionRate = 20e6
    /// Of each entry on the worker: its request, and making the file durable.
    var overhead = 0.03
    /// Of a worker's CPU for each entry.
    var workerCPU = 0.001
    var hosts = 200
    /// The connections that a host admits.
    var hostLimit = 64
    /// `--gate` of the workers.
    var gate = 256
    /// Entries that the submitting machine sends a second; measured.
    var submitRate = 50_000.0
    /// Each worker dies so often an hour, and is started again.
    var deathsPerHour = 0.05
    var restartTime = 30.0
    /// The server hands out a dead worker's entries again after this time.
    var ackWait = 20.0
    /// A claim is renewed at a fifth of it.
    var renewalInterval: Double { ackWait / 5 }
    /// Signs of life and leases of each worker a second.
    var signsPerSecond = 2.0
    /// Updates for dashboards of each worker a second, while one is open.
    var updatesPerSecond = 4.0
    /// The window in which a second submission of the list is recognised.
    var submitMemory = 24 * 3600.0
    /// The window in which a second result of an entry is recognised.
    var resultMemory = 2 * 3600.0
    /// Entries that may be with workers at once.
    var mostPending = 1_000_000
    /// Requests for entries that may wait at the server, and those of one worker.
    var mostWaiting = 16_384
    var requestsOfWorker = 2
    var costs = ServerCosts()
    var machine = ServerMachine()
}
