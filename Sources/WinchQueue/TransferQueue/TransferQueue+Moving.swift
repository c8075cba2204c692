import WinchModel

/// The order of starting, as the user changes it.
extension TransferQueue {
    mutating func move(_ id: TransferID, by places: Int) {
        guard let moved = schedule.move(id, by: places, removed: undo.removed) else { return }
        feed.noteOrder()
        noteRanks(of: moved)
    }

    /// Moves several together.
    mutating func shift(_ ids: [TransferID], _ shift: QueueShift) {
        let chosen = Set(ids.filter { index(of: $0) != nil })
        guard !chosen.isEmpty, let moved = schedule.shift(chosen, shift, removed: undo.removed) else { return }
        feed.noteOrder()
        noteRanks(of: moved)
    }

    /// These have another place in the queue.
    mutating func noteRanks(of ids: [TransferID]) {
        for id in ids {
            ledger?.noteRank(id)
            guard let index = index(of: id), rows[index].isReady else { continue }
            schedule.enqueue(id)
            if rows[index].wantsSizing { probes.enqueue(schedule.place(of: id)) }
            // It may have been the one let out of its host's parking, and be behind others there now.
            unpark(rows[index].hostKey)
        }
    }
}
