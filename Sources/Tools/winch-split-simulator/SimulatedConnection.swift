/// The client's side of one connection.
struct SimulatedConnection {
    enum Phase {
        /// The request arrives at the host then.
        case connecting(until: Double)
        /// Its first byte may arrive then.
        case requested(until: Double)
        case moving
        /// It has nothing to do, and can take another request.
        case idle
    }

    var phase: Phase
    /// Where the next byte belongs.
    var position: Int64
    /// Where it is to stop now.
    var end: Int64
    /// Where the server stops.
    var askedEnd: Int64
    var isMoving: Bool {
        if case .moving = phase { true } else { false }
    }

    /// Part of a byte that has arrived.
    var fraction = 0.0
}
