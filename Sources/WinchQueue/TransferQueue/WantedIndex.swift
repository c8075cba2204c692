import WinchModel

/// Finds transfers by the file that each asks for, in 11 to 22 bytes a transfer.
///
/// Entries are never taken out one by one: that of a transfer that has left the list, or has another URL by now, goes when the
/// index has doubled. The caller compares what is found with the transfer.
struct WantedIndex: Sendable {
    /// The number of the last transfer for a file, by 32 bits of the file's hash.
    private var last: [UInt32: UInt32] = [:]
    /// Those before it for the same file.
    private var earlier: [UInt32: [UInt32]] = [:]
    private var mostFiles = fewestFiles

    /// Of more transfers for the same file only so many are found, the last one among them: each would be passed at every step
    /// that looks for another.
    static let mostEqual = 16
    private static let fewestFiles = 64

    /// Files that transfers ask for, or asked for.
    var count: Int { last.count }

    /// Transfers that may ask for the file.
    func candidates(for file: WantedFile) -> [TransferID] {
        let hash = Self.hash(of: file)
        guard let number = last[hash] else { return [] }
        return (earlier[hash, default: []] + [number]).map { TransferID(Int($0)) }
    }

    /// - Parameter isListed: whether a transfer is in the list.
    mutating func insert(_ id: TransferID, for file: WantedFile, isListed: (TransferID) -> Bool) {
        if last.count >= mostFiles { dropUnlisted(isListed) }
        let (hash, number) = (Self.hash(of: file), UInt32(clamping: id.number))
        guard let before = last.updateValue(number, forKey: hash), before != number else { return }
        let others = earlier[hash, default: []].filter { $0 != number }
        earlier[hash] = (others + [before]).suffix(Self.mostEqual - 1)
    }

    private mutating func dropUnlisted(_ isListed: (TransferID) -> Bool) {
        earlier = earlier.mapValues { $0.filter { isListed(TransferID(Int($0))) } }.filter { !$0.value.isEmpty }
        last = last.filter { isListed(TransferID(Int($0.value))) || earlier[$0.key] != nil }
        mostFiles = max(Self.fewestFiles, 2 * last.count)
    }

    private static func hash(of file: WantedFile) -> UInt32 { UInt32(truncatingIfNeeded: file.hashValue) }
}
