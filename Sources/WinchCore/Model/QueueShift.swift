/// Where transfers go in the queue.
public enum QueueShift: String, Hashable, Sendable, Codable, CaseIterable {
    /// One place; those at the end already stay, the others close up to them.
    case earlier, later
    /// To the very beginning or end.
    case first, last
}
