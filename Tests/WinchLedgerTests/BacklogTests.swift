import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `Coalesced changes` {
    private static let seeds = (0..<40).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `have the same result as the original changes`(seed: UInt64) throws {
        var random = RandomChanges(seed: seed, firstKey: LedgerKey(0))
        let changes = try random.batches().flatMap(\.self)
        // Some were written before.
        let split = random.pick(0...changes.count)
        var (all, coalesced) = (LedgerModel(), LedgerModel())
        for change in changes { all.apply(change) }
        for change in changes[..<split] { coalesced.apply(change) }
        let few = CoalescedChanges.of(changes[split...])
        for change in few { coalesced.apply(change) }
        expectEqual(coalesced, all)
        let most = Dictionary(grouping: few, by: \.key).values.map(\.count).max() ?? 0
        expectAtMost(most, 4)
    }

    @Test func `stay few however long writing fails`() throws {
        var backlog = Backlog()
        expect(backlog.add([.put(try makeEntry(1))]))
        for number in 0..<1000 as Range<Int64> {
            let change = LedgerChange.advanced(
                LedgerKey(1), onDisk: ByteRanges(), durable: ByteRanges(), received: ByteCount(bytes: number))
            expect(!backlog.add([change]) || number > 0)
            let advice = backlog.putBack(backlog.take())
            expectEqual(advice.needsReport, (number == 0))
            expectEqual(advice.needsRetry, (number == 0))
        }
        let left = backlog.takeAgain()
        expectEqual(left.joined().count, 1)
        guard case .put(let entry) = left.first?.first else {
            Issue.record("the entry is gone")
            return
        }
        expectEqual(entry.received, ByteCount(bytes: 999))
    }
}
