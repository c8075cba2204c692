/// Identifies a transfer within one run. Numbers are given in the order of adding, from 1, and never reused.
public struct TransferID: Hashable, Comparable, Sendable {
    /// From 1, in the order of adding.
    public let number: Int

    /// Wraps a number that a queue has given.
    public init(_ number: Int) { self.number = number }

    public static func < (left: TransferID, right: TransferID) -> Bool { left.number < right.number }
}

extension TransferID: Codable {
    public init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }

    public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}

/// A set of transfers as a bit set over their numbers: a hundred thousand take 12 KiB, and insertion, lookup and iteration
/// take a fraction of the time of a hashed set. Iteration is ascending.
///
/// Room is taken from the lowest member to the highest: a queue that has run for a month has given millions of numbers, and each
/// update of it makes several sets.
///
/// By hand, because `count` is read at each event: `BitSet` of swift-collections counts its bits each time.
package struct TransferSet: Sendable {
    /// Bit `number % 64` of word `number / 64 - first`.
    private(set) var words: [UInt64] = []
    private var first = 0
    package private(set) var count = 0

    package init(_ ids: some Sequence<TransferID>) { for id in ids { insert(id) } }

    package func contains(_ id: TransferID) -> Bool {
        let (word, bit) = place(of: id)
        return words.indices.contains(word) && words[word] & bit != 0
    }

    /// 2^28: so many transfers need 32 MiB here, and far more as rows. A larger number comes from a client, and room for it would
    /// end the process.
    private static let mostNumber = 1 << 28

    /// Inserts a transfer; one that no queue can have, by its number, is ignored.
    ///
    /// - Returns: whether it was inserted; false when it was already in the set.
    @discardableResult package mutating func insert(_ id: TransferID) -> Bool {
        guard (0..<Self.mostNumber).contains(id.number) else { return false }
        if count == 0 {
            words.removeAll(keepingCapacity: true)
            first = id.number >> 6
        }
        var (word, bit) = place(of: id)
        if word < 0 {
            // By as much again, so that ids that come in descending order cost no more.
            let more = Swift.min(first, Swift.max(-word, words.count))
            words.insert(contentsOf: repeatElement(0, count: more), at: 0)
            (first, word) = (first - more, word + more)
        }
        if word >= words.count { words += repeatElement(0, count: word + 1 - words.count) }
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        count += 1
        return true
    }

    /// - Returns: whether it was in the set.
    @discardableResult package mutating func remove(_ id: TransferID) -> Bool {
        guard contains(id) else { return false }
        let (word, bit) = place(of: id)
        words[word] &= ~bit
        count -= 1
        return true
    }

    package mutating func formUnion(_ ids: some Sequence<TransferID>) { for id in ids { insert(id) } }

    package mutating func subtract(_ ids: some Sequence<TransferID>) { for id in ids { remove(id) } }

    private func place(of id: TransferID) -> (word: Int, bit: UInt64) {
        (id.number >> 6 - first, 1 << UInt64(id.number & 63))
    }
}

extension TransferSet: Collection {
    package var isEmpty: Bool { count == 0 }
    /// Indices are the numbers of transfers, and that of the end the first one behind the words.
    package var startIndex: Int { next(from: first << 6) }
    package var endIndex: Int { (first + words.count) << 6 }

    package subscript(position: Int) -> TransferID { TransferID(position) }

    package func index(after index: Int) -> Int { next(from: index + 1) }

    private func next(from number: Int) -> Int {
        var word = number >> 6 - first
        guard word < words.count else { return endIndex }
        var bits = words[word] & (.max << UInt64(number & 63))
        while bits == 0 {
            word += 1
            guard word < words.count else { return endIndex }
            bits = words[word]
        }
        return (first + word) << 6 + bits.trailingZeroBitCount
    }
}

extension TransferSet: ExpressibleByArrayLiteral, Equatable {
    package init(arrayLiteral ids: TransferID...) { self.init(ids) }

    package static func == (left: TransferSet, right: TransferSet) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }
}
