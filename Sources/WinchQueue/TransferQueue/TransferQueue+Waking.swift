import WinchModel

/// How far a connection was when the machine woke: its position in the file, and how much of a file that is there already
/// has been hashed. Its sleep may have cut the connection off: no packet will ever say so.
typealias WakePosition = (phase: Connection.Phase, position: Int64, verified: ByteCount?)

extension TransferQueue {
    /// A shorter sleep is survived by most connections, and costs less than a new one.
    package static let shortestSleep = Duration.seconds(15)
    /// A server that is still there sends again within a few round trips; TCP may wait for some seconds before it repeats.
    static let wakingTime = Duration.seconds(5)

    /// Gives the connections a few seconds to show that they are alive, instead of the whole stall timeout.
    mutating func watchConnections(at now: Moment) {
        var positions: [ConnectionID: WakePosition] = [:]
        for id in active {
            guard let index = index(of: id) else { continue }
            // An upload would begin anew, with nothing.
            for connection in rows[index].connections.open where connection.direction == .down {
                positions[connection.id] = rows[index].wakePosition(of: connection)
            }
        }
        wakeWatch = (positions, now + Self.wakingTime)
    }

    /// Closes the connections that have brought nothing since the machine woke. Their transfers go on at once over new
    /// ones, with the bytes they have, and without losing a try.
    mutating func renewConnections(at now: Moment) -> [QueueAction] {
        guard wakeWatch.until <= now else { return [] }
        defer { wakeWatch.positions = [:] }
        var actions: [QueueAction] = []
        for (id, position) in wakeWatch.positions.sorted(by: { $0.key < $1.key }) {
            guard let transfer = self[id.transfer], let connection = transfer.connections[id], connection.isOpen,
                transfer.wakePosition(of: connection) == position
            else { continue }
            // The limit makes it wait, not the network.
            if connection.isHeldBack(at: now) { continue }
            // What must not be made twice goes on until the stall timeout decides.
            if transfer.spec.upload?.isSentOnce == true { continue }
            // Nothing proves that the rest is of the same file, and a new connection would begin at nothing: the stall
            // timeout decides.
            if transfer.have > .zero, transfer.resume?.validator == nil, transfer.resume?.total == nil { continue }
            change(id.transfer, at: now, .retrying(in: .zero, failure: Self.sleptThrough)) { next in
                next.waitAgain()
                next.history.lastFailure = Self.sleptThrough
            }
            actions += transfer.closings(discarding: false)
        }
        return actions
    }

    private static let sleptThrough = TransferFailure.connectionLost("nothing came after a sleep of the machine")
}

extension TransferState {
    fileprivate func wakePosition(of connection: Connection) -> WakePosition {
        (connection.phase, connection.position, history.verified)
    }
}
