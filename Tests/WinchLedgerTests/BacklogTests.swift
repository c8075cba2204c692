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
        for change in Backlog.coalesced([Array(changes[split...])]) { coalesced.apply(change) }
        expectEqual(coalesced, all)
    }

    @Test func `stay few however long writing fails`() throws {
        let (key, entry) = (LedgerKey(1), try makeEntry(1))
        // It fails and is tried again, over and over.
        let round: [LedgerChange] = [
            .removed(key), .put(try makeEntry(1, .failed(.httpStatus(503)))), .put(entry),
            .advanced(key, onDisk: ByteRanges(0..<9), durable: ByteRanges(), received: ByteCount(bytes: 9)),
            .ranked(key, 7),
            .detailed(key, StoredDetails(attempts: [StoredAttempt(number: 1, host: "h", began: noon)])),
        ]
        var backlog = Backlog()
        expect(backlog.add(round))
        for number in 0..<100 {
            expect(!backlog.add(round) || number > 0)
            let advice = backlog.putBack(backlog.take())
            expectEqual(advice, Backlog.RetryAdvice(needsReport: number == 0, needsRetry: number == 0))
        }
        expectEqual(backlog.takeAgain(), [round])
        expectEqual([backlog.noteWritten(), backlog.noteWritten()], [true, false])
        expect(backlog.putBack([round]).needsReport)
        expectEqual(backlog.takeAgain(), [round])
        expect(backlog.add(Array(repeating: round, count: Backlog.longest / round.count + 1).flatMap(\.self)))
        expectEqual(backlog.take(), [round])
    }
}
