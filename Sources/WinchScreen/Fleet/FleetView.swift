package import WinchModel

/// What a dashboard over several machines shows beside the rows and the totals.
package struct FleetView: Hashable, Sendable {
    /// Sorted as they are listed.
    package var machines: [Machine]
    /// By row: the name of the machine that has it.
    package var machineOf: [TransferID: String]

    package init(machines: [Machine] = [], machineOf: [TransferID: String] = [:]) {
        (self.machines, self.machineOf) = (machines, machineOf)
    }

    /// A worker, as it has shown itself last.
    package struct Machine: Hashable, Sendable {
        package var name: String
        package var version: String
        /// The version is not that of this program.
        package var isOtherVersion = false
        package var rate: ByteRate?
        package var connections = 0
        /// Entries that move, and how many may at a time.
        package var working = 0
        package var jobs = 0
        /// Since the worker's start.
        package var done = 0
        package var failed = 0
        /// On the disk of its folder; `nil`: not known.
        package var free: ByteCount?
        package var lastSeen: Moment
        /// It has not shown itself for so long that it is taken as dead or cut off.
        package var isLost = false

        package init(name: String, version: String, lastSeen: Moment) {
            (self.name, self.version, self.lastSeen) = (name, version, lastSeen)
        }
    }
}
