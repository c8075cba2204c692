package import WinchModel

/// Finds entries that ask for the same file as an earlier one: the same first URL, folder and name.
///
/// Stores a hash of 128 bits for each entry instead of the entry itself, because a list may have a million entries. Its seed
/// is random in each process: two of a million files have the same hash in one of 10^26 runs, and no list can provoke it.
package struct DuplicateFilter: Sendable {
    private struct Mark: Hashable {
        var low: Int
        var high: Int
    }

    private var seen: Set<Mark> = []

    package init() {}

    /// Records an entry.
    ///
    /// - Returns: false when an earlier entry asks for the same file.
    package mutating func isNew(_ spec: TransferSpec) -> Bool {
        guard let wanted = spec.wanted else { return true }
        return seen.insert(Mark(low: hash(wanted, 0), high: hash(wanted, 1))).inserted
    }

    private func hash(_ wanted: WantedFile, _ half: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(half)
        hasher.combine(wanted)
        return hasher.finalize()
    }
}
