import Glibc
import WinchModel

/// A piece of a file whose bytes are on disk and whose hash is known.
struct PieceCheck: Sendable {
    /// Of the transfer whose file it is.
    let id: TransferID
    /// Of the `PieceVerifier` that asked: a file that was begun anew has other bytes.
    let body: Int
    /// Hears of the result.
    let client: any FileServicesClient
    let file: Descriptor
    /// For messages.
    let path: String
    /// In the list of pieces.
    let index: Int
    /// Its bytes in the file.
    let range: Range<Int64>
    let expected: ExpectedDigest

    private static let bufferSize = 256 << 10

    /// Reads the piece: not for the loop's thread.
    ///
    /// - Throws: `.checksum` when it has another hash; another failure when it cannot be read or hashed.
    func verify() throws(TransferFailure) {
        var sum = PartHash(expected)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        var position = range.lowerBound
        while position < range.upperBound {
            let wanted = min(buffer.count, Int(range.upperBound - position))
            let count = pread(file.number, buffer.baseAddress, wanted, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .readWrite(path, reason: count == 0 ? "it became shorter" : String(cString: strerror(errno)))
            }
            sum.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: position)
            position += Int64(count)
        }
        try sum.check()
    }
}
