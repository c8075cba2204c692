import WinchModel

/// The transfers by number - 1. A block all of whose transfers were removed takes no room: a queue that runs for months sees
/// millions of them.
struct TransferRows: Sendable {
    private struct Block: Sendable {
        /// Empty once all of them were removed.
        var rows: [TransferState] = []
        /// Of them, not removed.
        var used = 0
    }

    private var blocks: [Block] = []
    /// Numbers that were given.
    private(set) var count = 0

    private static let blockSize = 256
    private static let removed = TransferState(removed: TransferID(0))

    var isEmpty: Bool { count == 0 }

    /// Rows that are stored, those of removed transfers included.
    var stored: Int { blocks.reduce(0) { $0 + $1.rows.count } }

    /// A removed one where there is none.
    subscript(index: Int) -> TransferState {
        @inline(__always) _read {
            let place = index % Self.blockSize
            if blocks[index / Self.blockSize].rows.count > place {
                yield blocks[index / Self.blockSize].rows[place]
            } else {
                yield Self.removed
            }
        }
        @inline(__always) _modify {
            if blocks[index / Self.blockSize].rows.isEmpty { refill(index / Self.blockSize) }
            yield &blocks[index / Self.blockSize].rows[index % Self.blockSize]
        }
    }

    mutating func append(_ row: TransferState) {
        if count % Self.blockSize == 0 { blocks.append(Block()) }
        // The last block may have been emptied before it was full.
        if blocks[blocks.count - 1].rows.count < count % Self.blockSize { refill(blocks.count - 1) }
        blocks[blocks.count - 1].rows.append(row)
        blocks[blocks.count - 1].used += 1
        count += 1
    }

    mutating func remove(at index: Int) {
        let block = index / Self.blockSize
        blocks[block].used -= 1
        if blocks[block].used == 0 { blocks[block].rows = [] } else { self[index] = Self.removed }
    }

    /// A removed transfer is back.
    mutating func putBack(_ row: TransferState, at index: Int) {
        self[index] = row
        blocks[index / Self.blockSize].used += 1
    }

    private mutating func refill(_ block: Int) {
        let most = min(Self.blockSize, count - block * Self.blockSize)
        blocks[block].rows = Array(repeating: Self.removed, count: most)
    }
}
