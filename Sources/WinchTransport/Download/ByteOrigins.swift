import WinchModel

/// The bytes of a file that each address has brought in this attempt.
struct ByteOrigins {
    private var brought: [(source: TransferURL, bytes: ByteRanges)] = []
    /// Addresses that have sent wrong bytes.
    private var wrong: Set<TransferURL> = []

    /// An address has brought bytes of the file, which take the place of those that another has brought before.
    mutating func note(_ bytes: Range<Int64>, from source: TransferURL) {
        forget(bytes)
        if let index = brought.firstIndex(where: { $0.source == source }) {
            brought[index].bytes.insert(contentsOf: bytes)
        } else {
            brought.append((source, ByteRanges(bytes)))
        }
    }

    /// These bytes are wrong, and are fetched once more.
    ///
    /// - Returns: the address that has sent them; of several the one that is known to have sent other wrong bytes. `nil`: it
    ///   is not known which of several, or some are from an earlier attempt.
    mutating func takeWrong(_ bytes: Range<Int64>) -> TransferURL? {
        let range = ByteRanges(bytes)
        let senders = brought.filter { !$0.bytes.intersection(range).isEmpty }
        let known = senders.filter { wrong.contains($0.source) }
        let source = (senders.first { range.isSubset(of: $0.bytes) } ?? (known.count == 1 ? known[0] : nil))?.source
        forget(bytes)
        if let source { wrong.insert(source) }
        return source
    }

    private mutating func forget(_ bytes: Range<Int64>) {
        for index in brought.indices { brought[index].bytes.remove(contentsOf: bytes) }
    }
}
