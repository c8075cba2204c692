import WinchModel

/// The ranks of the transfers. A block all of whose transfers are forgotten takes no room: see `TransferRows`.
struct Ranks: Sendable {
    private struct Block: Sendable {
        /// Empty once all of them were forgotten.
        var ranks: [Int] = []
        /// Of them, not forgotten.
        var used = 0
    }

    private var blocks: [Block] = []
    /// Numbers that were given.
    private var count = 0

    private static let blockSize = 256

    /// Ranks that are stored.
    var stored: Int { blocks.reduce(0) { $0 + $1.ranks.count } }

    /// 0 for a transfer that was forgotten, or that there never was; nothing is stored for those.
    subscript(id: TransferID) -> Int {
        @inline(__always) get {
            let (block, place) = (id.number - 1).quotientAndRemainder(dividingBy: Self.blockSize)
            guard block >= 0, place >= 0, block < blocks.count, place < blocks[block].ranks.count else { return 0 }
            return blocks[block].ranks[place]
        }
        set {
            let (block, place) = (id.number - 1).quotientAndRemainder(dividingBy: Self.blockSize)
            guard block >= 0, place >= 0, block < blocks.count, place < blocks[block].ranks.count else { return }
            blocks[block].ranks[place] = newValue
        }
    }

    /// Of the next transfer.
    mutating func append(_ rank: Int) {
        let place = count % Self.blockSize
        if place == 0 { blocks.append(Block()) }
        let last = blocks.count - 1
        // It may have been emptied before it was full.
        if blocks[last].ranks.count < place { blocks[last].ranks = Array(repeating: 0, count: place) }
        blocks[last].ranks.append(rank)
        blocks[last].used += 1
        count += 1
    }

    /// The transfer never comes back. To be called once for each.
    mutating func forget(_ id: TransferID) {
        let block = (id.number - 1) / Self.blockSize
        guard blocks.indices.contains(block) else { return }
        self[id] = 0
        blocks[block].used -= 1
        if blocks[block].used == 0 { blocks[block].ranks = [] }
    }
}
