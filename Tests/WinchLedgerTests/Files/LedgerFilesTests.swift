import Glibc
import Synchronization
import TestSupport
import Testing

@testable import WinchLedger
@testable import WinchModel

@Suite struct `The ledger's files` {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `are accessible to their owner only`() async throws {
        let folder = try TemporaryFolder()
        let (ledger, _) = try folder.openLedger()
        ledger.record([.put(try makeEntry(1))])
        try expect(ledger.history(HistoryQuery()).isEmpty)
        expectEqual(mode(folder.path + "/state"), 0o700)
        expectEqual(mode(folder.state), 0o700)
        let names = TemporaryFolder.names(in: folder.state)
        expect(names.contains("ledger.sqlite") && names.contains("ledger.sqlite-wal"))
        for name in names { expectEqual(mode(folder.state + "/" + name), 0o600, "\(name)") }
        await ledger.close()

        chmod(folder.state + "/ledger.sqlite", 0o644)
        try await folder.leave([])
        expectEqual(mode(folder.state + "/ledger.sqlite"), 0o600)
    }

    @Test func `that cannot be opened lead to an error with the reason`() throws {
        let folder = try TemporaryFolder()
        folder.write("file", [1])
        folder.makeFolder("taken")
        folder.makeFolder("taken/ledger.sqlite")
        for (state, words) in [
            ("file", "is not a folder"), ("file/below", "Not a directory"), ("taken", "ledger.sqlite cannot be used"),
        ] {
            let failure = #expect(throws: LedgerFailure.self) {
                try Ledger.open(stateFolder: folder.path + "/" + state, now: noon)
            }
            expectEqual(failure?.message.contains(words), true, "\(failure?.message ?? "")")
        }
        #expect(throws: LedgerFailure.self) { try Ledger.open(stateFolder: "/proc/none/winch", now: noon) }
    }

    @Test func `are not created by reading the history`() throws {
        let folder = try TemporaryFolder()
        try expect(Ledger.history(stateFolder: folder.state, HistoryQuery()).isEmpty)
        expect(folder.names.isEmpty)
    }

    @Test func `receive changes that failed on a full disk once there is space`() async throws {
        let folder = try TemporaryFolder()
        let reported = Reported()
        let (ledger, _) = try folder.openLedger { reported.add($0) }
        ledger.record([.put(try makeEntry(1))])
        try expect(ledger.history(HistoryQuery()).isEmpty)

        // As on a full disk: no page can be added.
        let pages = try ledger.work { db -> Int in
            try db.execute("PRAGMA max_page_count = 1")
            return try db.value("PRAGMA max_page_count") ?? 0
        }
        expectMore(pages, than: 1)
        for number in 2...300 as ClosedRange<Int64> {
            ledger.record([.put(try makeEntry(number, .finished(.saved(path: "\(number)"))))])
            if number % 50 == 0 { _ = try? ledger.history(HistoryQuery()) }
        }
        expectEqual(reported.failures.count, 1)
        expectEqual(reported.failures.first??.message.contains("full"), true, "\(reported.failures)")
        try expectLess(ledger.history(HistoryQuery()).count, than: 299)

        try ledger.work { db in try db.execute("PRAGMA max_page_count = 100000") }
        ledger.record([.ranked(LedgerKey(300), -1)])
        try expectEqual(ledger.history(HistoryQuery()).count, 299)
        await ledger.close()
        // Told once, and once that it is over.
        expectEqual(reported.failures.map { $0 == nil }, [false, true])
        let list = try await folder.leftover()
        expectEqual(list.count, 300)
        expectEqual(list.first?.key, LedgerKey(300))
    }

    @Test func `receive no changes after the ledger is closed`() async throws {
        let folder = try TemporaryFolder()
        let reported = Reported()
        let (ledger, _) = try folder.openLedger { reported.add($0) }
        await ledger.close()
        ledger.record([.put(try makeEntry(1))])
        await ledger.close()
        try await expect(folder.leftover().isEmpty)
        expect(reported.failures.isEmpty)
    }

    private final class Reported: Sendable {
        private let list = Mutex<[LedgerFailure?]>([])
        var failures: [LedgerFailure?] { list.withLock { $0 } }
        func add(_ failure: LedgerFailure?) { list.withLock { $0.append(failure) } }
    }
}
