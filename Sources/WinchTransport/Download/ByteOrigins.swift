import WinchModel

/// The bytes of a file that each address has brought in this attempt.
struct ByteOrigins {
    private var brought: [(source: TransferURL, bytes: ByteRanges)] = []

    /// An address has brought bytes of the file.
    mutating func note(_ bytes: Range<Int64>, from source: TransferURL) {
        if let index = brought.firstIndex(where: { $0.source == source }) {
            brought[index].bytes.insert(contentsOf: bytes)
        } else {
            brought.append((source, ByteRanges(bytes)))
        }
    }

    /// The only address that has brought these bytes; `nil`: there are several, or some are from an earlier attempt.
    func source(of bytes: Range<Int64>) -> TransferURL? {
        let bytes = ByteRanges(bytes)
        return brought.first { bytes.isSubset(of: $0.bytes) }?.source
    }

    /// They are fetched once more.
    mutating func forget(_ bytes: Range<Int64>) {
        for index in brought.indices { brought[index].bytes.remove(contentsOf: bytes) }
    }
}
