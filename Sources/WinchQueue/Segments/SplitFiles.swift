import WinchModel

/// Which running transfers may have several connections.
struct SplitFiles {
    /// In the order in which they are served.
    private(set) var ids: [TransferID] = []

    mutating func insert(_ id: TransferID) {
        if !ids.contains(id) { ids.append(id) }
    }

    mutating func remove(_ id: TransferID) { ids.removeAll { $0 == id } }
}
