/// What all workers of a run are to do: the value of the key `control` in the bucket of the run's state.
package struct RunControl: Codable, Hashable, Sendable {
    package static let key = "control"

    /// Workers take nothing, and stop what they have.
    package var isPaused = false
    /// Bytes a second over all workers; `nil`: no limit.
    package var limit: Double?
    /// The entries of the queue up to this sequence are cancelled.
    package var cancelledThrough: UInt64 = 0
    /// Further entries that are cancelled, by their sequences; the latest ones.
    package var cancelled: [UInt64]?
    /// How often the workers were told to end. A worker ends when it is more than at its start.
    package var stops = 0

    package init() {}

    /// More would make the value too long; older ones are not in the queue any more.
    private static let mostCancelled = 1000

    func cancels(_ entry: UInt64) -> Bool { entry <= cancelledThrough || cancelled?.contains(entry) ?? false }

    mutating func cancel(_ entries: [UInt64]) {
        let new = entries.filter { !cancels($0) }
        cancelled = Array(((cancelled ?? []) + new).suffix(Self.mostCancelled))
    }
}
