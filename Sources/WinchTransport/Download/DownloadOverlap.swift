/// Bytes of the body that are on disk already, and are compared instead of written.
struct DownloadOverlap {
    /// The next byte to compare.
    var position: Int64
    /// Where the kept bytes end.
    let end: Int64

    /// An answer, to be opened once the overlap turned out to be the same.
    struct Opening {
        /// Where the body began.
        var start: Int64
        var end: Int64?
        var total: Int64?
    }

    /// Takes from the front of `bytes` what is on disk already.
    ///
    /// - Returns: false when the two differ; `position` is the first byte that does.
    mutating func compare(_ bytes: inout UnsafeRawBufferPointer, with part: PartFile) -> Bool {
        let count = Int(min(Int64(bytes.count), end - position))
        let same = part.matching(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: position)
        position += Int64(same)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[same...])
        return same == count
    }
}
