import WinchModel

typealias TransferRows = NumberedBlocks<TransferState>

/// What belongs to each transfer, by its number - 1. A block all of whose transfers were removed takes no room: a queue that
/// runs for months sees millions of them.
struct NumberedBlocks<Element: Sendable>: Sendable {
    private struct Block: Sendable {
        /// Empty once all of them were removed.
        var elements: [Element] = []
        /// Of them, not removed.
        var used = 0
    }

    /// One that stands where a removed one was.
    private let blank: [Element]
    private var blocks: [Block] = []
    /// Numbers that were given.
    private(set) var count = 0

    private static var blockSize: Int { 256 }

    init(blank: Element) { self.blank = [blank] }

    /// Elements that are stored, those of removed transfers included.
    var stored: Int { blocks.reduce(0) { $0 + $1.elements.count } }

    /// A blank one where there is none.
    subscript(index: Int) -> Element {
        @inline(__always) _read {
            let elements = blocks[index / Self.blockSize].elements
            let place = index % Self.blockSize
            let isStored = elements.count > place
            let source = isStored ? elements : blank
            // In place: an array's own accessor copies the element. And once: with a second `yield` no read is inlined.
            yield source.withUnsafeBufferPointer { $0 }[isStored ? place : 0]
        }
        @inline(__always) _modify {
            if blocks[index / Self.blockSize].elements.isEmpty { refill(index / Self.blockSize) }
            yield &blocks[index / Self.blockSize].elements[index % Self.blockSize]
        }
    }

    mutating func append(_ element: Element) {
        if count % Self.blockSize == 0 { blocks.append(Block()) }
        // The last block may have been emptied before it was full.
        if blocks[blocks.count - 1].elements.count < count % Self.blockSize { refill(blocks.count - 1) }
        blocks[blocks.count - 1].elements.append(element)
        blocks[blocks.count - 1].used += 1
        count += 1
    }

    mutating func remove(at index: Int) {
        let block = index / Self.blockSize
        blocks[block].used -= 1
        if blocks[block].used == 0 { blocks[block].elements = [] } else { self[index] = blank[0] }
    }

    /// A removed transfer is back.
    mutating func putBack(_ element: Element, at index: Int) {
        self[index] = element
        blocks[index / Self.blockSize].used += 1
    }

    private mutating func refill(_ block: Int) {
        let most = min(Self.blockSize, count - block * Self.blockSize)
        blocks[block].elements = Array(repeating: blank[0], count: most)
    }
}

extension NumberedBlocks<Int> {
    /// 0 for a transfer that was removed, or that there never was.
    subscript(id: TransferID) -> Int {
        @inline(__always) get { id.number >= 1 && id.number <= count ? self[id.number - 1] : 0 }
        set { if id.number >= 1, id.number <= count { self[id.number - 1] = newValue } }
    }
}
