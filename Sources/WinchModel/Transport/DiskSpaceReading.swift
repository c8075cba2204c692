/// Free space in a folder, as its file system reports it.
package struct DiskSpaceReading: Hashable, Sendable {
    /// Names the file system within this run.
    package var device: UInt64
    /// Bytes that we may still write.
    package var free: ByteCount
    /// Bytes of the whole file system.
    package var size: ByteCount

    package init(device: UInt64, free: ByteCount, size: ByteCount) {
        self.device = device
        self.free = free
        self.size = size
    }

    /// Left to others and to the file system's own needs: 16 MiB, on a small one the hundredth part.
    package var reserve: Int64 { min(16 << 20, max(0, size.bytes) / 100) }
}
