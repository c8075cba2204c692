import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `The ledger's retention` {
    @Test func `forgets after an hour what hosts allow`() async throws {
        let folder = try TemporaryFolder()
        let (ledger, _) = try folder.openLedger(now: noon)
        let allowances = [
            LearnedHostLimit(host: "http://a:80", connections: 3, learnedAt: noon),
            LearnedHostLimit(host: "http://b:80", connections: 1, learnedAt: noon.later(seconds: 2000)),
        ]
        ledger.record(allowances.map(LedgerChange.allowed))
        await ledger.close()
        #expect(try Ledger.allowances(stateFolder: folder.state, now: noon.later(seconds: 3000)) == allowances)
        let (second, opening) = try folder.openLedger(now: noon.later(seconds: 4000))
        #expect(opening.allowances == [allowances[1]])
        await second.close()
        #expect(try Ledger.allowances(stateFolder: folder.state, now: noon.later(seconds: 3000)) == [allowances[1]])
    }

    @Test(arguments: [(LedgerState.unfinished, true), (.paused, true), (.failed(.httpStatus(404)), false)])
    func `keeps finished entries of a run that has unfinished ones`(left: LedgerState, isKept: Bool)
        async throws
    {
        let folder = try TemporaryFolder()
        try await folder.leave([
            .put(try makeEntry(1, .finished(.saved(path: "1.bin")))), .put(try makeEntry(2, .cancelled)),
            .put(try makeEntry(3, left)),
        ])
        // An unrelated run in between.
        try await folder.leave([.put(try makeEntry(9 << 32, .finished(.saved(path: "9.bin"))))])
        #expect(try await folder.leftover().map(\.key.number) == (isKept ? [1, 2, 3] : [3]) + [9 << 32])
    }

    /// The files as a kill -9 leaves them: the log has not been written into the database.
    @Test func `drops the oldest entries above its maximum length`() async throws {
        let folder = try TemporaryFolder()
        let (ledger, _) = try folder.openLedger()
        ledger.record(try (1...20).map { .put(try makeEntry($0, .cancelled, settledAt: noon.later(seconds: -$0))) })
        #expect(try ledger.history(HistoryQuery()).count == 20)
        try ledger.store.database.write { db in try LedgerRetention.pruneHistory(db, to: 5) }
        #expect(try ledger.history(HistoryQuery()).map(\.key.number) == [1, 2, 3, 4, 5])
        await ledger.close()
    }

    @Test func `keeps the rows of an earlier queue with unfinished entries, its failures for 30 days`() async throws {
        let folder = try TemporaryFolder()
        let standings: [LedgerState] = [
            .unfinished, .paused, .failed(.httpStatus(404)), .cancelled, .finished(.saved(path: "5.bin")),
        ]
        try await folder.leave(try standings.enumerated().map { .put(try makeEntry(Int64($0) + 1, $1)) })
        #expect(try await folder.leftover().map(\.standing) == standings)

        try await folder.leave([
            .put(try makeEntry(11, .finished(.saved(path: "11.bin")))), .put(try makeEntry(12, .cancelled)),
        ])
        #expect(try await folder.leftover().map(\.key.number) == [1, 2, 3, 4, 5, 11, 12])
        #expect(try await folder.leftover(now: noon.later(days: 31)).map(\.key.number) == [1, 2, 4, 5, 11, 12])
        #expect(try Ledger.history(stateFolder: folder.state, HistoryQuery()).map(\.key.number) == [12, 11, 5, 4, 3])
    }
}
