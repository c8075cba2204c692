import WinchModel

/// When something is due of a transfer, if its stamp is the same then.
struct Alarm: Comparable, Sendable {
    var at: Moment
    var id: TransferID
    var stamp: Stamp

    static func < (left: Alarm, right: Alarm) -> Bool { left.at < right.at }
}
