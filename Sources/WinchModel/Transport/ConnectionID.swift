/// Identifies a connection of this run. Reports about a connection that the queue no longer knows are late and ignored.
package struct ConnectionID: Hashable, Comparable, Sendable {
    package var transfer: TransferID
    /// Counts the cancels of the transfer.
    package var epoch: Int
    /// Counts the connections of the transfer from 1. 0: the request for its size, or none yet.
    package var number: Int

    package init(transfer: TransferID, epoch: Int = 0, number: Int = 0) {
        self.transfer = transfer
        self.epoch = epoch
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        (left.transfer, left.epoch, left.number) < (right.transfer, right.epoch, right.number)
    }
}
