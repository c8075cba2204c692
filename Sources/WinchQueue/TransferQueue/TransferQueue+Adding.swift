import WinchModel

extension TransferQueue {
    /// Adds what a user names while the queue runs. An entry that asks for the same file as a transfer of the list is no
    /// second transfer: one that has failed, was cancelled or is finished runs once more, any other goes on as it is.
    ///
    /// Linear: the list is looked through once for all of the entries.
    mutating func add(named given: [Addition], at now: Moment) -> [QueueAction] {
        let listed = listed(among: given.lazy.map(\.spec))
        var additions: [Addition] = []
        additions.reserveCapacity(given.count)
        for addition in given {
            guard let id = addition.spec.wanted.flatMap({ listed[$0] }) else {
                additions.append(addition)
                continue
            }
            let isStartedAnew = self[id]?.isSettled ?? false
            feed.addedAgain.append(Update.AddedAgain(id: id, isStartedAnew: isStartedAnew))
            if isStartedAnew { startAgain(id, at: now) }
        }
        return add(additions, at: now) + removeParts(inTheWayOf: given.map(\.spec), at: now)
    }

    /// Tells the uploads apart that would replace the file of another one, which is in the list and not settled.
    ///
    /// Linear: the list is looked through once for all of the entries.
    ///
    /// - Returns: the other entries, and why those are refused, for the user.
    func withoutClashes(_ given: [Addition]) -> (additions: [Addition], refused: [String]) {
        guard given.contains(where: { $0.spec.replacedFile != nil }) else { return (given, []) }
        var uploads: [String: TransferSpec] = [:]
        for transfer in transfers where !transfer.isSettled {
            if let file = transfer.spec.replacedFile { uploads[file] = transfer.spec }
        }
        var (additions, refused): ([Addition], [String]) = ([], [])
        for addition in given {
            let spec = addition.spec
            if let file = spec.replacedFile, let upload = spec.upload, let url = spec.urls.first {
                if let other = uploads[file], let sent = other.upload, other.wanted != spec.wanted {
                    refused.append(upload.clash(with: sent, at: url))
                    continue
                }
                uploads[file] = spec
            }
            additions.append(addition)
        }
        return (additions, refused)
    }

    /// Of the transfers in the list those that the entries ask for; of several the one that is furthest.
    func listed(among specs: some Sequence<TransferSpec>) -> [WantedFile: TransferID] {
        let wanted = Set(specs.compactMap(\.wanted))
        var listed: [WantedFile: TransferID] = [:]
        for id in order {
            guard let transfer = self[id], let file = transfer.spec.wanted, wanted.contains(file) else { continue }
            guard let known = listed[file].flatMap({ self[$0] }), known.isFurther(than: transfer) else {
                listed[file] = id
                continue
            }
        }
        return listed
    }

    /// A finished one is looked at as another run would do it: the server says whether the file that is there has changed.
    private mutating func startAgain(_ id: TransferID, at now: Moment) {
        guard case .finished? = self[id]?.phase else { return retry(id, at: now) }
        change(id, at: now, .resumed, cause: .retried) { transfer in
            transfer.size = transfer.size.known.map(SizeKnowledge.probed) ?? .unknown(estimate: transfer.have)
            transfer.have = .zero
            transfer.warning = nil
            transfer.phase = .waiting
            transfer.history.resetForRetry()
        }
    }
}

extension TransferState {
    fileprivate func isFurther(than other: TransferState) -> Bool { progressOrder > other.progressOrder }

    private var progressOrder: Int {
        switch phase {
        case .cancelled: 0
        case .failed: 1
        case .finished: 2
        case .waiting, .active, .verifying, .paused, .backoff: 3
        }
    }
}

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
