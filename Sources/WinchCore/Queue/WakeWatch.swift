/// Connections that the machine's sleep may have cut off: no packet will ever say so.
struct WakeWatch: Sendable {
    /// How a transfer stood when the machine woke.
    struct Footing: Hashable, Sendable {
        var stamp: Stamp
        var phase: TransferState.Phase
        var have: ByteCount
        /// How much of a file that is there already has been hashed: no byte comes meanwhile.
        var verified: ByteCount?
    }

    /// When those that still stand the same are begun anew; `nil`: nothing is watched.
    private var until: Moment?
    private var footings: [TransferID: Footing] = [:]

    mutating func begin(_ footings: [TransferID: Footing], until: Moment) {
        self.until = footings.isEmpty ? nil : until
        self.footings = footings
    }

    /// Ends the watch when its time is over.
    ///
    /// - Returns: how each transfer stood when it began; ascending.
    mutating func takeDue(at now: Moment) -> [(id: TransferID, footing: Footing)] {
        guard let until, until <= now else { return [] }
        defer { self = WakeWatch() }
        return footings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
