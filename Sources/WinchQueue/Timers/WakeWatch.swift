import WinchModel

/// Connections that the machine's sleep may have cut off: no packet will ever say so.
package struct WakeWatch: Sendable {
    /// How far a connection was when the machine woke.
    struct Position: Hashable, Sendable {
        var phase: Connection.Phase
        /// In the file.
        var position: Int64
        /// How much of a file that is there already has been hashed: no byte comes meanwhile.
        var verified: ByteCount?
    }

    /// When those that still stand the same are begun anew; `nil`: nothing is watched.
    private var until: Moment?
    private var positions: [ConnectionID: Position] = [:]

    mutating func begin(_ positions: [ConnectionID: Position], until: Moment) {
        self.until = positions.isEmpty ? nil : until
        self.positions = positions
    }

    /// Ends the watch when its time is over.
    ///
    /// - Returns: how far each connection was when it began; ascending.
    mutating func takeDue(at now: Moment) -> [(id: ConnectionID, position: Position)] {
        guard let until, until <= now else { return [] }
        defer { self = WakeWatch() }
        return positions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
