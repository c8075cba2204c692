import Synchronization

@testable import WinchModel

/// A ledger in memory that records all calls.
final class MemoryLedger: LedgerPort {
    enum Line: Equatable {
        case changes([LedgerChange])
        case flushed
        case closed
    }

    private let pages = Mutex<[Line]>([])
    private let kept = Mutex<[LedgerKey: StoredDetails]>([:])

    var lines: [Line] { pages.withLock { $0 } }

    func record(_ changes: [LedgerChange]) { pages.withLock { $0.append(.changes(changes)) } }
    func details(of key: LedgerKey) async -> StoredDetails? { kept.withLock { $0[key] } }
    func keep(_ details: StoredDetails, of key: LedgerKey) { kept.withLock { $0[key] = details } }
    func flush() async { pages.withLock { $0.append(.flushed) } }
    func close() async { pages.withLock { $0.append(.closed) } }

    var changes: [LedgerChange] {
        lines.flatMap { line -> [LedgerChange] in
            if case .changes(let changes) = line { changes } else { [] }
        }
    }

    /// The last complete entry (`.put`) of each transfer.
    var entries: [LedgerKey: LedgerEntry] {
        changes.reduce(into: [:]) { entries, change in
            if case .put(let entry) = change { entries[entry.key] = entry }
        }
    }
}
