import Synchronization
import TestSupport
import Testing

@testable import WinchModel
@testable import WinchQueue

@Suite struct `An engine with a ledger` {
    @Test func `records every transfer and its outcome, and closes the ledger last`() async {
        let ledger = MemoryLedger()
        let stage = Stage(slots: 1, ledger: ledger) { call, _ in
            call == "open" ? [.finished(.saved(path: "f"), size: ByteCount(bytes: 3))] : []
        }
        stage.add(2)
        await stage.caughtUp()
        await stage.caughtUp()
        _ = await stage.quit()
        expectEqual(ledger.entries.keys.sorted(), [LedgerKey(1), LedgerKey(2)])
        expect(ledger.entries.values.allSatisfy { $0.standing == .finished(.saved(path: "f")) })
        expectEqual(ledger.entries[LedgerKey(1)]?.settledAt, UnixTime(milliseconds: 1_000))
        expectEqual(ledger.lines.last, .closed)
        expectEqual(ledger.lines.count { $0 == .closed }, 1)
        expect(!ledger.lines.contains(.changes([])))
    }

    @Test func `records the bytes on disk after the final stop before it closes the ledger`() async {
        let kept = ResumePoint(partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 700))
        let ledger = MemoryLedger()
        let stage = Stage(slots: 1, ledger: ledger) { call, _ in
            call == "shutDown" ? [.stopped(kept: kept)] : []
        }
        stage.add(2)
        await stage.caughtUp()
        let summary = await stage.quit()
        expectEqual(summary.unfinished, 2)
        expectEqual(ledger.entries[LedgerKey(1)]?.resume, kept)
        expectEqual(ledger.entries[LedgerKey(1)]?.standing, .unfinished)
        expectNil(ledger.entries[LedgerKey(2)]?.resume)
        expectEqual(ledger.lines.last, .closed)
    }

    @Test func `tells before its end what is stored, of entries that come while it ends too`() async throws {
        let spec = TransferSpec(urls: [try TransferURL("http://a.example/f")])
        let last = LastAddition()
        let stage = Stage(slots: 1, ledger: MemoryLedger()) { call, _ in
            if call == "shutDown" { last.add() }
            return []
        }
        last.set { [inbox = stage.inbox] in
            LocalQueue(inbox: inbox).add([spec]) { if case .added(let count, _, _) = $0 { last.note(count) } }
        }
        _ = await stage.quit()
        expectEqual(last.stored, 1)
    }

    @Test func `records the bytes of a paused transfer without another event`() async throws {
        let ledger = MemoryLedger()
        let part = ResumePoint(partPath: "f.part", targetPath: "f")
        let opening = Opening(status: 200, offset: .zero, total: ByteCount(bytes: 100_000_000), part: part)
        let kept = ResumePoint(partPath: "f.part", targetPath: "f", have: ByteCount(bytes: 900))
        let stage = Stage(slots: 1, ledger: ledger, clock: .running) { call, _ in
            switch call {
            case "open": [.opened(opening)]
            case "close": [.stopped(kept: kept)]
            default: []
            }
        }
        stage.add(1)
        await stage.caughtUp()
        stage.inbox.send(.pause([TransferID(1)]))
        await stage.caughtUp()
        // Nothing runs and no event arrives any more: only the heartbeat can cause the write.
        for _ in 0..<6000 where ledger.entries[LedgerKey(1)]?.resume != kept {
            try await Task.sleep(for: .milliseconds(10))
        }
        expectEqual(ledger.entries[LedgerKey(1)]?.resume, kept)
        expectEqual(ledger.entries[LedgerKey(1)]?.standing, .paused)
        _ = await stage.quit()
    }

    @Test func `requests the earlier attempts of a watched transfer`() async throws {
        let ledger = MemoryLedger()
        let url = try TransferURL("http://a.example/f")
        let attempt = StoredAttempt(
            number: 1, host: "a.example", began: UnixTime(milliseconds: 5), outcome: .failed(.httpStatus(404)))
        ledger.keep(StoredDetails(attempts: [attempt]), of: LedgerKey(77))
        let stage = Stage(slots: 1, ledger: ledger)
        let entry = LedgerEntry(
            key: LedgerKey(77), rank: 1, spec: TransferSpec(urls: [url]), standing: .failed(.httpStatus(404)),
            name: "f",
            attempts: 1, addedAt: UnixTime(milliseconds: 5))
        stage.inbox.add([Addition(entry)])
        stage.inbox.send(.watch(TransferID(1)))
        // The ledger replies asynchronously.
        var reported: [AttemptRecord] = []
        for _ in 0..<6000 where reported.isEmpty {
            reported = await stage.caughtUp().flatMap(\.details).last?.attempts ?? reported
            if reported.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        }
        expectEqual(reported.map(\.outcome), [.failed(.httpStatus(404))])
        _ = await stage.quit()
    }
}

/// Adds something once.
private final class LastAddition: Sendable {
    private let addition = Mutex<(@Sendable () -> Void)?>(nil)
    private let count = Mutex<Int?>(nil)

    /// New entries that are said to be stored.
    var stored: Int? { count.withLock { $0 } }

    func set(_ body: @escaping @Sendable () -> Void) { addition.withLock { $0 = body } }
    func note(_ stored: Int) { count.withLock { $0 = stored } }

    func add() {
        let body = addition.withLock { addition in
            defer { addition = nil }
            return addition
        }
        body?()
    }
}
