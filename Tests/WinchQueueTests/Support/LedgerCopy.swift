@testable import WinchModel
@testable import WinchQueue

/// The ledger that results from the queue's changes alone.
struct LedgerCopy {
    private(set) var entries: [LedgerKey: LedgerEntry] = [:]
    private(set) var details: [LedgerKey: StoredDetails] = [:]
    /// Changes of keys that were never put.
    private(set) var strays: [LedgerChange] = []

    /// Entries restored from the ledger were in it before.
    mutating func hold(_ event: QueueEvent) {
        guard case .added(let additions) = event else { return }
        for addition in additions {
            guard let past = addition.past else { continue }
            entries[past.key] = LedgerEntry(
                key: past.key, rank: past.rank, spec: addition.spec, standing: past.standing, name: past.name,
                resume: addition.resume, size: past.size, attempts: past.attempts, received: past.received,
                addedAt: past.addedAt, startedAt: past.startedAt, settledAt: past.settledAt)
        }
    }

    mutating func take(_ changes: [LedgerChange]) {
        for change in changes {
            switch change {
            case .put(let entry): entries[entry.key] = entry
            case .removed(let key):
                alter(key, change) { $0 = nil }
                details[key] = nil
            case .detailed(let key, let news):
                alter(key, change) { _ in }
                details[key, default: StoredDetails()].merge(news)
            case .ranked(let key, let rank): alter(key, change) { $0?.rank = rank }
            case .advanced(let key, let onDisk, let durable, let received):
                alter(key, change) { entry in
                    entry?.resume?.onDisk = onDisk
                    entry?.resume?.durable = durable
                    entry?.received = received
                }
            }
        }
    }

    private mutating func alter(_ key: LedgerKey, _ change: LedgerChange, _ body: (inout LedgerEntry?) -> Void) {
        if entries[key] == nil { strays.append(change) }
        body(&entries[key])
    }

    /// In the queue's order.
    var inOrder: [LedgerEntry] { entries.values.sorted { $0.rank < $1.rank } }

    /// 18: a queue restored from the ledger alone has the same state as this one.
    ///
    /// - Returns: where it differs, or `nil`.
    func compare(with queue: TransferQueue, at now: Moment) -> String? {
        if let stray = strays.first { return "18: of nothing: \(stray)" }
        let entries = inOrder
        if entries.map(\.key) != queue.transfers.compactMap(\.record.key) { return "18: another order in the ledger" }
        var again = TransferQueue()
        _ = again.apply(.added(entries.map { Addition($0) }), at: now)
        for (entry, (live, restored)) in zip(entries, zip(queue.transfers, again.transfers)) {
            if let difference = difference(entry, live, restored) {
                return "18: the ledger has \(difference) of #\(live.id.number): \(entry), live \(live.phase)"
            }
        }
        return nil
    }

    private func difference(_ entry: LedgerEntry, _ live: TransferState, _ restored: TransferState) -> String? {
        if entry.standing != live.standing || restored.standing != live.standing { return "another standing" }
        if entry.attempts != live.record.attempts + Int(live.attempts) { return "other attempts" }
        if entry.received != live.record.received { return "other bytes hauled" }
        // An upload cannot be resumed from the bytes sent.
        guard live.spec.direction == .down else { return nil }
        if case .finished = live.phase { return restored.have == live.have ? nil : "another size" }
        if case .cancelled = live.phase { return restored.have == .zero ? nil : "bytes" }
        let kept = live.keepsWrongFile ? live.have : live.resume?.have ?? .zero
        if restored.have != kept { return "\(restored.have) bytes" }
        // The part may have a size that the row does not.
        let isTold = entry.size.known != nil || entry.resume?.total == nil
        if isTold, restored.size.known != live.size.known { return "size \(restored.size)" }
        return nil
    }
}
