import Synchronization

/// The bytes of small bodies that may be in memory on their way to the finisher: a slow disk slows the network down
/// instead of filling the memory.
final class ContentBudget: Sendable {
    private let held = Atomic<Int>(0)

    /// Bodies up to this are handed over in memory: making a file costs more than its bytes, and is better done beside
    /// the network.
    static let largestBody = Int64(64 << 10)
    private static let most = 6 << 20

    /// Takes so many bytes; `give` must follow.
    ///
    /// - Returns: false when the budget does not allow them now; nothing is taken then.
    func take(_ count: Int) -> Bool {
        if held.add(count, ordering: .relaxed).newValue <= Self.most { return true }
        give(count)
        return false
    }

    func give(_ count: Int) { held.subtract(count, ordering: .relaxed) }
}
