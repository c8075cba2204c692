import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `A ledger shared by several runs` {
    @Test func `hides the entries of a live run from other runs`() async throws {
        let folder = try TemporaryFolder()
        let (first, _) = try folder.openLedger()
        first.record([.put(try makeEntry(1)), .put(try makeEntry(2, .finished(.saved(path: "2.bin"))))])
        try expectEqual(first.history(HistoryQuery()).count, 1)

        let (second, opening) = try folder.openLedger()
        expect(opening.unfinished.isEmpty)
        expectEqual(opening.heldByOthers, [HeldEntry(entry: try makeEntry(1), pid: 4711)])
        expect(second.adopt([LedgerKey(1)]).isEmpty)
        await first.close()
        await second.close()
        try await expectEqual(folder.leftover().map(\.key.number), [1, 2])
    }

    @Test func `stores the changes of two runs at the same time`() async throws {
        let folder = try TemporaryFolder()
        let (first, one) = try folder.openLedger()
        let (second, two) = try folder.openLedger()
        for number in 1...200 as ClosedRange<Int64> {
            first.record([.put(try makeEntry(one.firstKey.number + number))])
            second.record([.put(try makeEntry(two.firstKey.number + number))])
        }
        await first.close()
        await second.close()
        let keys = try await folder.leftover().map(\.key.number)
        let expected = [one, two].flatMap { opening in (1...200).map { opening.firstKey.number + $0 } }
        expectEqual(keys, expected)
    }

    @Test func `lets only one run adopt an unfinished entry`() async throws {
        let folder = try TemporaryFolder()
        try await folder.leave([.put(try makeEntry(1)), .put(try makeEntry(2))])
        let (first, seen) = try folder.openLedger()
        let (second, alsoSeen) = try folder.openLedger()
        expectEqual(seen.unfinished.count, 2)
        expectEqual(alsoSeen.unfinished.count, 2)
        expectEqual(first.adopt([LedgerKey(2), LedgerKey(99)]), [LedgerKey(2)])
        expectEqual(second.adopt([LedgerKey(1), LedgerKey(2)]), [LedgerKey(1)])

        let (third, opening) = try folder.openLedger()
        expect(opening.unfinished.isEmpty)
        expectEqual(opening.heldByOthers.map(\.entry.key.number), [1, 2])
        for ledger in [first, second, third] { await ledger.close() }
        try await expectEqual(folder.leftover().count, 2)
    }

    @Test func `gives a run what others have left since it began`() async throws {
        let folder = try TemporaryFolder()
        let (session, _) = try folder.openLedger()
        let (living, one) = try folder.openLedger()
        let (ended, two) = try folder.openLedger()
        living.record([.put(try makeEntry(one.firstKey.number))])
        let keys = (0..<3).map { two.firstKey.number + $0 }
        ended.record([
            .put(try makeEntry(keys[0])), .put(try makeEntry(keys[1])),
            .put(try makeEntry(keys[2], .finished(.saved(path: "done.bin")))),
        ])
        await living.flush()
        await ended.close()
        let now = UnixTime(milliseconds: 0)
        expectEqual(session.takeOver(now: now) { $0.key.number == keys[1] }.entries.map(\.key.number), [keys[1]])
        expectEqual(session.takeOver(now: now) { _ in true }.entries.map(\.key.number), [keys[0]])
        expect(session.takeOver(now: now) { _ in true }.entries.isEmpty)
        let (later, opening) = try folder.openLedger()
        expectEqual(Set(opening.heldByOthers.map(\.entry.key.number)), [one.firstKey.number, keys[0], keys[1]])
        for ledger in [session, living, later] { await ledger.close() }
    }

    @Test func `marks entries that were on disk before a reboot`() async throws {
        let folder = try TemporaryFolder()
        var entry = try makeEntry(1)
        entry.resume = ResumePoint(partPath: "a.part", targetPath: "a", have: ByteCount(bytes: 10))
        try await folder.leave([.put(entry), .put(try makeEntry(2))])
        try await expectEqual(folder.leftover().map(\.resume?.isAfterReboot), [false, nil])

        let later = RunIdentity.sample.booted("second-boot")
        let (ledger, opening) = try folder.openLedger(in: later)
        expectEqual(opening.unfinished.map(\.resume?.isAfterReboot), [true, nil])
        ledger.adopt([LedgerKey(1)])
        await ledger.close()
        // The run that adopted it did not touch the file: the mark stays.
        let list = try await folder.leftover(in: later)
        expectEqual(list.first { $0.key.number == 1 }?.resume?.isAfterReboot, true)
    }

    @Test(arguments: [("", ""), ("a", ""), ("", "a")])
    func `assumes a reboot when the kernel gives no boot ID`(then: String, now: String) {
        expect(RunIdentity.sample.booted(now).isAfterReboot(since: then))
    }

    @Test func `has a separate lock for each run and one that is held only while opening`() throws {
        let folder = try TemporaryFolder()
        let (one, two) = (try RunLocks(path: folder.path + "/lock"), try RunLocks(path: folder.path + "/lock"))
        try expect(one.lock(5))
        expect(two.isHeld(5))
        expect(two.hasLivingRuns)
        expect(!one.hasLivingRuns)
        try expect(!two.lock(5))
        try expect(two.lock(6))
        try one.lockOpening()
        one.unlockOpening()
        try two.lockOpening()
        one.unlock(5)
        expect(!two.isHeld(5))
        expect(one.isHeld(6))
    }
}
