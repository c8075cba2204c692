import WinchModel
import WinchProgress

/// The number of connections of a file that the user asks for.
extension TransferQueue {
    /// A file that is being fetched gets so many more or fewer at once, others when they start.
    mutating func changeConnections(of ids: [TransferID], by step: Int, at now: Moment) {
        // Of a hundred thousand transfers with the same settings all get the same new ones.
        var changed: [OldAndNew: Shared<TransferSettings>] = [:]
        for id in ids {
            guard let index = index(of: id), rows[index].spec.direction == .down, rows[index].settledClass != .ok else {
                continue
            }
            let shared = rows[index].spec.settings
            let ceiling = shared.value.split.connections
            let splitting = rows[index].splitting
            let isOpen = splitting?.map != nil
            let present = isOpen ? splitting?.lanes ?? 1 : ceiling
            let wanted = min(max(1, present + min(max(step, -SplitLimit.most), SplitLimit.most)), SplitLimit.most)
            if isOpen { _ = split(id) { $0.demand(wanted, at: now) } }
            let most = step < 0 ? min(ceiling, wanted) : max(ceiling, wanted)
            guard most != ceiling else { continue }
            let key = OldAndNew(old: ObjectIdentifier(shared), new: most)
            let new = changed[key] ?? Shared(shared.value.split(over: most))
            changed[key] = new
            note(.settings(new), of: id)
            feed.noteChange(of: id)
            ledger?.noteNow(id)
            feed.noteTotals()
        }
    }

    private struct OldAndNew: Hashable {
        let old: ObjectIdentifier
        let new: Int
    }
}

extension TransferSettings {
    fileprivate func split(over most: Int) -> TransferSettings {
        var settings = self
        settings.split = .atMost(most)
        return settings
    }
}
