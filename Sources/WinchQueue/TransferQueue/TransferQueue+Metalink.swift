import WinchModel

extension TransferQueue {
    /// A transfer turned out to be a Metalink: its files are added below it, and it is finished.
    ///
    /// A file that is in the list already is not added again, and not started again either: two Metalinks that name each other
    /// would have no end.
    mutating func takeListed(
        _ specs: [TransferSpec], by id: TransferID, size: ByteCount, warning: TransferWarning?, at now: Moment
    ) -> [QueueAction] {
        guard let name = self[id]?.name else { return [] }
        let listed = listed(among: specs)
        let additions = specs.filter { $0.wanted.map { listed[$0] == nil } ?? true }.map { Addition(spec: $0) }
        let first = rows.count
        // Before the Metalink is finished, because it may be the last of the queue.
        let actions = add(additions, at: now)
        let added = (first..<rows.count).map { TransferID($0 + 1) }
        if let moved = schedule.place(added, below: id, removed: undo.removed) {
            feed.noteOrder()
            noteRanks(of: moved)
        }
        finish(id, .listed(path: name, files: additions.count), size, at: now)
        if warning != nil { change(id, at: now, nil) { $0.warning = warning } }
        return actions + removeParts(inTheWayOf: additions.map(\.spec), at: now)
    }
}
