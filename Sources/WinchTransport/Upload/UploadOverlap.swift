/// The last bytes that a server has of an upload. They are read back and compared with the source before the upload goes on
/// after them.
struct UploadOverlap {
    /// 64 KiB: enough to tell another version of a file, and read in one round trip on most lines.
    static let longest: Int64 = 64 << 10

    let range: Range<Int64>

    /// - Parameter found: bytes that the server has, at least 0.
    init(endingAt found: Int64) { range = max(0, found - Self.longest)..<found }

    /// - Parameters:
    ///   - remote: what the server has sent of `range`.
    ///   - source: reads bytes of the source; `nil`: they cannot be read any more.
    /// - Returns: whether all bytes are the same.
    func isSame(_ remote: [UInt8], in source: (Range<Int64>) -> [UInt8]?) -> Bool {
        remote.count == range.count && source(range) == remote
    }
}
