import TestSupport
import Testing

@testable import WinchModel

@Suite struct `A set of transfers` {
    /// Numbers around the ends of words, and beyond.
    private static let numbers = [1, 2, 62, 63, 64, 65, 127, 128, 129, 1000]

    @Test(arguments: 0..<20)
    func `behaves like the standard library's Set`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (bits, hashed): (TransferSet, Set<TransferID>) = ([], [])
        for _ in 0..<400 {
            let id = TransferID(Self.numbers.randomElement(using: &random) ?? 1)
            let some = Self.numbers.shuffled(using: &random).prefix(3).map { TransferID($0) }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: expectEqual(bits.insert(id), hashed.insert(id).inserted)
            case 4..<7: expectEqual(bits.remove(id), (hashed.remove(id) != nil))
            case 7:
                bits.formUnion(some)
                hashed.formUnion(some)
            case 8:
                bits.subtract(some)
                hashed.subtract(some)
            default: expectEqual(bits.contains(id), hashed.contains(id))
            }
            expectEqual(Array(bits), hashed.sorted())
            expectEqual(bits.count, hashed.count)
            expectEqual(bits.isEmpty, hashed.isEmpty)
            expectEqual(bits, TransferSet(hashed))
        }
    }

    /// A client chooses numbers: room for one of these would end the process.
    @Test(arguments: [1 << 28, 1 << 40, Int.max])
    func `ignores a number that no transfer can have`(number: Int) {
        var set: TransferSet = []
        let isInserted = set.insert(TransferID(number))
        expect(!isInserted && set.isEmpty && !set.contains(TransferID(number)))
    }

    @Test func `is equal to another one that once had more elements`() {
        var set = TransferSet([TransferID(1)])
        set.insert(TransferID(500))
        expect(set != [TransferID(1)])
        set.remove(TransferID(500))
        expectEqual(set, [TransferID(1)])
        expect(!set.contains(TransferID(100_000)))
        set.insert(TransferID(-1))
        expectEqual(set, [TransferID(1)])
        expect(!set.contains(TransferID(-1)))
    }

    /// A queue that has run for a month has given millions of numbers, and each of its updates makes several sets.
    @Test func `takes no room for the numbers below its members`() {
        var set = TransferSet([TransferID(40_000_070)])
        set.insert(TransferID(40_000_001))
        expectAtMost(set.words.count, 2)
        expectEqual(set.map(\.number), [40_000_001, 40_000_070])
        for number in [1, 39_999_999, Int.min, Int.max] { expect(!set.contains(TransferID(number)), "\(number)") }
        set.subtract(Array(set))
        expect(set.isEmpty && Array(set).isEmpty)
        set.insert(TransferID(1))
        expectAtMost(set.words.count, 1)
        expectEqual(set, [TransferID(1)])
    }
}
