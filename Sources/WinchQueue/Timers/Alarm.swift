import WinchModel

/// When something is due of a transfer, if it has opened no connection and was not cancelled since.
struct Alarm: Comparable, Sendable {
    var at: Moment
    /// The last one of the transfer when the alarm was set.
    var connection: ConnectionID

    var id: TransferID { connection.transfer }

    static func < (left: Alarm, right: Alarm) -> Bool { left.at < right.at }
}
