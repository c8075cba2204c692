import WinchModel

/// Finds transfers by the file that each asks for: an open-addressing table of 11 to 21 bytes a transfer.
///
/// Entries are never taken out one by one: that of a transfer that has left the list, or has another URL by now, goes when the
/// table grows. The caller compares what is found with the transfer.
struct WantedIndex: Sendable {
    /// 32 bits of the hash of the file, above the number of the transfer; 0: free. The number of slots is a power of two.
    private(set) var slots: [UInt64] = []
    private var used = 0

    /// Of more transfers for the same file only so many are found, the last one among them: each would be passed at every step
    /// that looks for another.
    static let mostEqual = 16
    private static let fewestSlots = 64

    /// Transfers that may ask for the file.
    func candidates(for file: WantedFile) -> [TransferID] {
        guard !slots.isEmpty else { return [] }
        let hash = Self.hash(of: file)
        var found: [TransferID] = []
        var place = firstPlace(of: hash)
        while slots[place] != 0 {
            if slots[place] >> 32 == hash { found.append(Self.id(in: slots[place])) }
            place = self.place(after: place)
        }
        return found
    }

    /// - Parameter isListed: whether a transfer is in the list.
    mutating func insert(_ id: TransferID, for file: WantedFile, isListed: (TransferID) -> Bool) {
        if 4 * (used + 1) > 3 * slots.count { rebuild(isListed) }
        put(Self.hash(of: file) << 32 | UInt64(UInt32(clamping: id.number)))
    }

    private mutating func put(_ entry: UInt64) {
        var (place, equal) = (firstPlace(of: entry >> 32), 0)
        while slots[place] != 0, slots[place] != entry {
            if slots[place] >> 32 == entry >> 32 { equal += 1 }
            if equal == Self.mostEqual { return slots[place] = entry }
            place = self.place(after: place)
        }
        if slots[place] == 0 { used += 1 }
        slots[place] = entry
    }

    private mutating func rebuild(_ isListed: (TransferID) -> Bool) {
        let kept = slots.filter { $0 != 0 && isListed(Self.id(in: $0)) }
        var count = Self.fewestSlots
        while count < 2 * kept.count { count *= 2 }
        (slots, used) = (Array(repeating: 0, count: count), 0)
        for entry in kept { put(entry) }
    }

    private func firstPlace(of hash: UInt64) -> Int { Int(hash) & (slots.count - 1) }

    private func place(after place: Int) -> Int { (place + 1) & (slots.count - 1) }

    private static func hash(of file: WantedFile) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: file.hashValue)) }

    private static func id(in entry: UInt64) -> TransferID { TransferID(Int(entry & 0xFFFF_FFFF)) }
}
