import WinchModel

/// What a transfer has named that lists a folder or is a Metalink, as far as it has come.
struct ListingProgress: Sendable {
    /// What has been let in.
    var found = Found()
    /// Pieces that are being let in.
    var out = 0
    /// The bytes of the listing, once it has ended.
    var size = ByteCount.zero
}

extension TransferState {
    /// Its listing has ended, and what it has named is being let in.
    @inline(__always) var awaitsEntries: Bool { isVerifying && listing != nil }
}

/// What a listing names becomes entries of the queue outside of it, and comes back.
extension TransferQueue {
    /// A transfer turned out to be a Metalink. It is finished when its files are in the list.
    mutating func takeListed(
        _ specs: [TransferSpec], by connection: Connection, size: ByteCount, warning: TransferWarning?, at now: Moment
    ) -> [QueueAction] {
        let id = connection.id.transfer
        let new = specs.filter { listed($0) == nil }
        change(id, at: now, nil) { transfer in
            transfer.listing = transfer.listing ?? ListingProgress()
            transfer.listing?.size = size
            transfer.listing?.out += 1
            transfer.warning = warning
            transfer.connections.change(connection.id) { $0.phase = .delivered }
            transfer.connections.removeAll(but: connection.id)
            transfer.phase = .verifying(isCancelling: false)
            transfer.stopClock(at: now)
        }
        return [.admit(new, by: connection.id, isLast: true)]
    }

    /// Entries that a transfer has named join the list: the files of a Metalink below it.
    ///
    /// A file that is in the list already is not added again, and not started again either: two Metalinks that name each other
    /// would have no end.
    mutating func take(
        _ admitted: Admitted, by connection: ConnectionID, isLast: Bool, at now: Moment
    ) -> [QueueAction] {
        let id = connection.transfer
        guard let index = index(of: id), rows[index].mayStillAdd(connection) else {
            ignore()
            return []
        }
        let additions = admitted.additions.filter { listed($0.spec) == nil }
        let first = rows.count
        // Before the transfer is finished, because it may be the last of the queue.
        var actions = add(additions, at: now)
        let added = (first..<rows.count).map { TransferID($0 + 1) }
        if let moved = schedule.place(added, below: id, removed: undo.removed) {
            feed.noteOrder()
            noteRanks(of: moved)
        }
        actions += removeParts(inTheWayOf: additions.map(\.spec), at: now)
        guard ask(index, { $0.find(connection) }) != nil, var listing = rows[index].listing else { return actions }
        listing.found.files += additions.count
        listing.out -= 1
        update(id) { $0.listing = listing }
        if rows[index].awaitsEntries, listing.out == 0 {
            finish(id, .listed(path: rows[index].name, listing.found), listing.size, at: now)
        }
        return actions
    }
}

extension TransferState {
    /// What an attempt has found before it failed is wanted all the same, but not after a pause or a cancel.
    fileprivate func mayStillAdd(_ connection: ConnectionID) -> Bool {
        switch phase {
        case .waiting, .active, .verifying, .backoff, .failed, .finished: connection.epoch == lastConnection.epoch
        case .paused, .cancelled: false
        }
    }
}
