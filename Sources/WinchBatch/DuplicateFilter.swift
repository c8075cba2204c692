package import WinchModel

/// Finds entries that ask for the same file as an earlier one: the same first URL, folder and name.
///
/// Stores 16 bytes for each entry instead of the entry itself, because a list may have a million entries.
package struct DuplicateFilter: Sendable {
    /// Indices of entries by the hash of their `WantedFile`.
    private var places: [Int: Int32] = [:]

    package init() {}

    /// Finds the earlier entry that asks for the same file.
    ///
    /// - Parameter specs: all entries for which this function has returned `nil`, in that order; the caller appends `spec`
    ///   to them when it returns `nil` again.
    /// - Returns: the index in `specs`; `nil` when there is none: then `spec` is recorded.
    package mutating func earlier(than spec: TransferSpec, in specs: [TransferSpec]) -> Int? {
        guard let wanted = spec.wanted else { return nil }
        let hash = wanted.hashValue
        // Two different files may have the same hash; then the later one is no duplicate, but it is not recorded.
        if let place = places[hash].map(Int.init) {
            return specs.indices.contains(place) && specs[place].wanted == wanted ? place : nil
        }
        places[hash] = Int32(clamping: specs.count)
        return nil
    }
}
