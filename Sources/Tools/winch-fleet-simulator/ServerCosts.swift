/// What one nats-server spends. The standard values were measured with nats-server 2.9.10 on one core of a shared
/// virtual machine, with 2,000,000 entries of 84 bytes and identities of 32 digits, by `Scripts/measure-jetstream.py`; those of
/// renewals, connections and results are estimates.
struct ServerCosts {
    /// Seconds of CPU to store an entry, with its identity in the window of duplicates.
    var submit = 7.0e-6
    /// Seconds of CPU to hand an entry out and take its acknowledgement.
    var deliver = 7.0e-6
    /// Seconds of CPU to store a message of another kind: a result, a lease, a sign of life.
    var store = 4.5e-6
    /// Seconds of CPU to pass on a message that is not stored: a renewed claim, an update for dashboards.
    var pass = 2.0e-6
    /// Bytes of memory for each identity in a window of duplicates.
    var identityMemory = 240.0
    /// Bytes of memory for each stored message.
    var messageMemory = 35.0
    /// Bytes on disk for each entry that is not settled.
    var entryDisk = 212.0
    /// Bytes on disk for each result.
    var resultDisk = 330.0
    /// Bytes of memory for each connection of a worker: its buffers and goroutines.
    var connectionMemory = 60_000.0
    /// Cores that work on one stream at a time: its lock admits one.
    var streamCores = 1.0
}

/// What the machine of the server has.
struct ServerMachine {
    var cores = 8.0
    /// Bytes.
    var memory = 16e9
    /// Bytes.
    var disk = 200e9
}
