import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `The history` {
    private static let path = HistoryEntry(
        key: LedgerKey(1), settledAt: noon, startedAt: nil, name: "Debian-13.iso", folder: "/home/someone/Images",
        url: "https://Cdimage.example/ä/debian-13.iso?x=1", size: nil, received: .zero,
        outcome: .failed(.httpStatus(404)))

    @Test(arguments: [
        ([], true), (["debian"], true), (["DEBIAN"], true), (["images"], true), (["cdimage.EXAMPLE"], true),
        (["Ä/"], true),
        (["debian", "someone"], true), (["debian", "fedora"], false), (["fedora"], false), ([""], true), (["%"], false),
        (["_"], false), (["404"], false), (["x=1"], true), (["iso/home"], false),
    ])
    func `is searched in names, URLs and folders`(words: [String], isFound: Bool) {
        expectEqual(HistoryQuery(words: words).matches(Self.path), isFound)
    }

    @Test func `can be limited to failures and to entries since a time`() {
        var entry = Self.path
        for (seconds, isFound) in [(-1, false), (0, true), (1, true)] as [(Int64, Bool)] {
            entry.settledAt = noon.later(seconds: seconds)
            expectEqual(HistoryQuery(since: noon).matches(entry), isFound)
        }
        expect(HistoryQuery(isFailedOnly: true).matches(entry))
        for outcome in [.cancelled, .finished(.saved(path: "x"))] as [LedgerState] {
            entry.outcome = outcome
            expect(!HistoryQuery(isFailedOnly: true).matches(entry))
        }
    }

    @Test func `lists the newest first, up to the given limit`() async throws {
        let folder = try TemporaryFolder()
        let standings: [LedgerState] = [.finished(.saved(path: "sub/name")), .failed(.httpStatus(404)), .cancelled]
        try await folder.leave(
            try (1...9).map {
                .put(try makeEntry($0, standings[Int($0) % 3], settledAt: noon.later(seconds: $0 * 5 % 7)))
            })
        let all = try Ledger.history(stateFolder: folder.state, HistoryQuery())
        // Seconds after noon, by key: 5 3 1 6 4 2 0 5 3.
        expectEqual(all.map(\.key.number), [4, 8, 1, 5, 9, 2, 6, 3, 7])
        expectEqual(all.first { $0.key.number == 3 }?.name, "sub/name")
        let query = HistoryQuery(isFailedOnly: true, since: noon.later(seconds: 2), limit: 2)
        let some = try Ledger.history(stateFolder: folder.state, query)
        expectEqual(some, Array(all.filter { query.matches($0) }.prefix(2)))
        expectEqual(some.count, 2)
        try expect(Ledger.history(stateFolder: folder.state, HistoryQuery(limit: 0)).isEmpty)
    }

    @Test func `keeps removed transfers and lists each transfer once`() async throws {
        let folder = try TemporaryFolder()
        var entry = try makeEntry(1, .failed(.httpStatus(503)))
        entry.startedAt = entry.settledAt.map { UnixTime(milliseconds: $0.milliseconds - 2500) }
        entry.received = ByteCount(bytes: 30)
        try await folder.leave([.put(entry), .put(try makeEntry(2)), .removed(LedgerKey(2))])
        entry.standing = .finished(.saved(path: "1 (1).bin"))
        entry.size = .exact(ByteCount(bytes: 20))
        try await folder.leave([.put(entry), .removed(LedgerKey(1))])
        try await expect(folder.leftover().isEmpty)
        let history = try Ledger.history(stateFolder: folder.state, HistoryQuery())
        expectEqual(history.map(\.name), ["1 (1).bin"])
        expectEqual(history.first?.outcome, .finished(.saved(path: "1 (1).bin")))
        expectEqual(history.first?.duration, .milliseconds(2500))
        expectEqual(history.first?.size, ByteCount(bytes: 20))
        expectEqual(history.first?.received, ByteCount(bytes: 30))
    }
}
