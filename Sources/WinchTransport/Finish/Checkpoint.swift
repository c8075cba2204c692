import WinchCore

/// Bytes of a part that are to survive a power loss from now on.
struct Checkpoint: Sendable {
    var id: TransferID
    var stamp: Stamp
    /// Hears of the result.
    var client: any FileServicesClient
    var file: Descriptor
    var durable: DurableLength
    /// The part's length when this was asked for.
    var length: Int64
    /// As `DurableLength.age` at that time.
    var age: Int

    /// Waits for the disk, and notes it when it worked. May block.
    func write() {
        if file.syncBytes() == 0 { durable.synced(length, age: age) }
    }
}
