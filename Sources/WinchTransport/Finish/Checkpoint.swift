import WinchModel

/// Bytes of a part that are to survive a power loss from now on.
struct Checkpoint: Sendable {
    var connection: ConnectionID
    /// Hears of the result.
    var client: any FileServicesClient
    var file: Descriptor
    var durable: DurableRanges
    /// The bytes that the part held when this was asked for.
    var ranges: ByteRanges
    /// As `DurableRanges.age` at that time.
    var age: Int

    /// Waits for the disk, and notes it when it worked. May block.
    func write() {
        if file.syncBytes() == 0 { durable.synced(ranges, age: age) }
    }
}
