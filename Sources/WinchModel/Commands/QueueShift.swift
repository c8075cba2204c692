/// How transfers are moved in the queue.
package enum QueueShift: String, Hashable, Sendable, Codable, CaseIterable {
    /// By one place. Transfers that are already at that end of the queue stay, and the others move up to them.
    case earlier, later
    /// To the start or the end of the queue.
    case first, last
}
