/// Free space in a folder, as its file system reports it.
public struct SpaceReading: Hashable, Sendable {
    /// Names the file system within this run.
    public var device: UInt64
    /// Bytes that we may still write.
    public var free: ByteCount
    /// Bytes of the whole file system.
    public var size: ByteCount

    public init(device: UInt64, free: ByteCount, size: ByteCount) {
        self.device = device
        self.free = free
        self.size = size
    }

    /// Left to others and to the file system's own needs: 16 MiB, on a small one the hundredth part.
    var reserve: Int64 { min(16 << 20, max(0, size.bytes) / 100) }
}
