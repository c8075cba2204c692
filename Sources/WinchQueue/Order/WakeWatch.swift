import WinchModel

/// Connections that the machine's sleep may have cut off: no packet will ever say so.
package struct WakeWatch: Sendable {
    /// How a transfer stood when the machine woke.
    struct Position: Hashable, Sendable {
        var connection: ConnectionID
        var phase: TransferState.Phase
        var have: ByteCount
        /// How much of a file that is there already has been hashed: no byte comes meanwhile.
        var verified: ByteCount?
    }

    /// When those that still stand the same are begun anew; `nil`: nothing is watched.
    private var until: Moment?
    private var positions: [TransferID: Position] = [:]

    mutating func begin(_ positions: [TransferID: Position], until: Moment) {
        self.until = positions.isEmpty ? nil : until
        self.positions = positions
    }

    /// Ends the watch when its time is over.
    ///
    /// - Returns: how each transfer stood when it began; ascending.
    mutating func takeDue(at now: Moment) -> [(id: TransferID, position: Position)] {
        guard let until, until <= now else { return [] }
        defer { self = WakeWatch() }
        return positions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
