import WinchModel

/// The largest file that the user allows (`--max-size`).
struct SizeLimit {
    /// `nil`: any size.
    let most: ByteCount?

    init(_ most: ByteCount?) { self.most = most }

    /// - Parameter total: the size of the file, as the answer names it; `nil`: it names none.
    /// - Returns: the failure of a file that is larger; found before any byte is written.
    func failure(declared total: Int64?) -> TransferFailure? {
        guard let most, let total, total > most.bytes else { return nil }
        return .tooLarge(limit: most, size: ByteCount(bytes: total))
    }

    /// - Returns: the failure of a file whose size was not known before, when `count` more bytes at `position` exceed the limit.
    func failure(receiving count: Int, at position: Int64) -> TransferFailure? {
        guard let most, Int64(count) > most.bytes - position else { return nil }
        return .tooLarge(limit: most, size: nil)
    }
}
