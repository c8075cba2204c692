@testable import WinchLedger
@testable import WinchModel

/// What a ledger is to remember, in memory.
struct LedgerModel: Equatable {
    private(set) var entries: [LedgerKey: LedgerEntry] = [:]
    private(set) var history: [LedgerKey: HistoryEntry] = [:]
    private(set) var details: [LedgerKey: StoredDetails] = [:]

    mutating func apply(_ change: LedgerChange) {
        switch change {
        case .put(let entry):
            var kept = entry
            if entry.standing.isFinished {
                // The samples have no other secrets.
                var settings = entry.spec.settings.value
                (settings.headers, settings.account) = ([], entry.spec.accountMark)
                kept.spec.settings = Shared(settings)
            }
            entries[entry.key] = kept
            if let past = HistoryEntry(kept) { history[entry.key] = past }
        case .advanced(let key, let onDisk, let durable, let received):
            entries[key]?.resume?.onDisk = onDisk
            entries[key]?.resume?.durable = durable
            entries[key]?.received = received
        case .ranked(let key, let rank): entries[key]?.rank = rank
        case .detailed(let key, let news): details[key, default: StoredDetails()].merge(news)
        case .removed(let key): (entries[key], details[key]) = (nil, nil)
        }
    }

    /// In queue order.
    var list: [LedgerEntry] { entries.values.sorted { ($0.rank, $0.key) < ($1.rank, $1.key) } }

    /// Newest first.
    var past: [HistoryEntry] { history.values.sorted { ($0.settledAt, $0.key) > ($1.settledAt, $1.key) } }
}
