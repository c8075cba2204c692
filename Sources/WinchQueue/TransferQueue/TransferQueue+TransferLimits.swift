import WinchModel

/// Rate limits of single transfers.
extension TransferQueue {
    /// What runs is told at once; what waits, or has ended and is retried, starts with it.
    mutating func setRateLimit(_ limit: ByteRate?, ofEach ids: [TransferID]) -> [QueueAction] {
        let limit = Self.limit(limit)
        // Of a hundred thousand transfers with the same settings all get the same new ones.
        var changed: [ObjectIdentifier: Shared<TransferSettings>] = [:]
        for id in ids {
            guard let index = index(of: id) else { continue }
            let shared = rows[index].spec.settings
            guard shared.value.rateLimit != limit else { continue }
            let new = changed[ObjectIdentifier(shared)] ?? Shared(shared.value.limited(to: limit))
            changed[ObjectIdentifier(shared)] = new
            note(.settings(new), of: id)
            feed.noteChange(of: id)
            ledger?.noteNow(id)
            feed.noteTotals()
        }
        return shareLimit()
    }
}

extension TransferSettings {
    fileprivate func limited(to limit: ByteRate?) -> TransferSettings {
        var settings = self
        settings.rateLimit = limit
        return settings
    }
}
