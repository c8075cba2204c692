import Dispatch
import TestSupport

@testable import WinchLedger
@testable import WinchModel

/// 2026-11-21 18:13:53 UTC.
let noon = UnixTime(milliseconds: 1_795_284_833_000)

extension UnixTime {
    func later(days: Int64 = 0, seconds: Int64 = 0) -> UnixTime {
        UnixTime(milliseconds: milliseconds + days * 86_400_000 + seconds * 1000)
    }
}

extension Ledger {
    /// Newest first, with all that was recorded before.
    func history(_ query: HistoryQuery) throws -> [HistoryEntry] {
        try work { db in try HistoryTable.find(query, in: db) }
    }

    /// Behind the writer on the ledger's queue.
    func work<Result>(_ work: (SQLiteConnection) throws -> Result) throws -> Result {
        try queue.sync { try work(store.db) }
    }
}

extension RunIdentity {
    static let sample = RunIdentity(pid: 4711, bootID: "first-boot", workingFolder: "/home/someone")

    func booted(_ bootID: String) -> RunIdentity {
        RunIdentity(pid: pid, bootID: bootID, workingFolder: workingFolder)
    }
}

extension TemporaryFolder {
    /// The state folder in it, not created yet.
    var state: String { path + "/state/winch" }

    func openLedger(
        now: UnixTime = noon, in identity: RunIdentity = .sample, title: String = "test",
        onWrite: @escaping @Sendable (LedgerFailure?) -> Void = { _ in }
    ) throws -> (ledger: Ledger, opening: LedgerContents) {
        try Ledger.open(stateFolder: state, now: now, title: title, identity: identity, onWrite: onWrite)
    }

    /// Runs once, records the changes and ends.
    func leave(_ changes: [LedgerChange], now: UnixTime = noon, in identity: RunIdentity = .sample) async throws {
        let (ledger, _) = try openLedger(now: now, in: identity)
        ledger.record(changes)
        await ledger.close()
    }

    /// The entries that a new run finds.
    func leftover(now: UnixTime = noon, in identity: RunIdentity = .sample) async throws -> [LedgerEntry] {
        let (ledger, opening) = try openLedger(now: now, in: identity)
        await ledger.close()
        return opening.unfinished
    }
}

func makeEntry(
    _ number: Int64, rank: Int? = nil, _ standing: LedgerState = .unfinished, url: String? = nil,
    settings: Shared<TransferSettings> = Shared(TransferSettings()), settledAt: UnixTime? = nil
) throws -> LedgerEntry {
    let url = try TransferURL(url ?? "http://host.example/\(number).bin")
    return LedgerEntry(
        key: LedgerKey(number), rank: rank ?? Int(number),
        spec: TransferSpec(urls: [url], folder: "/home/someone/got", settings: settings), standing: standing,
        name: "\(number).bin", addedAt: noon,
        settledAt: settledAt ?? (standing.isSettled ? noon.later(seconds: number) : nil))
}
