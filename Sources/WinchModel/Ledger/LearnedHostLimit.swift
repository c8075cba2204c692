/// How many connections at a time a host was found to allow, for the ledger.
package struct LearnedHostLimit: Hashable, Sendable, Codable {
    /// As in `TransferURL.hostKey`.
    package var host: String
    /// At least 1.
    package var connections: Int
    package var learnedAt: UnixTime

    package init(host: String, connections: Int, learnedAt: UnixTime) {
        self.host = host
        self.connections = max(1, connections)
        self.learnedAt = learnedAt
    }

    /// An hour, in milliseconds: servers and their limits change.
    package static let lifetime: Int64 = 3600 * 1000

    /// The limit, unless it is too old or from the future.
    package func connections(at now: UnixTime) -> Int? {
        let age = now.milliseconds.subtractingReportingOverflow(learnedAt.milliseconds)
        return !age.overflow && (0..<Self.lifetime).contains(age.partialValue) ? connections : nil
    }
}
