import WinchModel

extension TransferQueue {
    /// Adds what a user names while the queue runs. An entry that asks for the same file as a transfer of the list is no
    /// second transfer: one that has failed, was cancelled or is finished runs once more, any other goes on as it is.
    ///
    /// Linear: the list is looked through once for all of the entries.
    mutating func add(_ specs: [TransferSpec], at now: Moment) {
        let listed = listed(among: specs)
        var additions: [Addition] = []
        additions.reserveCapacity(specs.count)
        for spec in specs {
            guard let id = spec.wanted.flatMap({ listed[$0] }) else {
                additions.append(Addition(spec: spec))
                continue
            }
            let isStartedAnew = self[id]?.isSettled ?? false
            feed.append(Update.AddedAgain(id: id, isStartedAnew: isStartedAnew))
            if isStartedAnew { startAgain(id, at: now) }
        }
        add(additions, at: now)
    }

    /// Of the transfers in the list those that the entries ask for; of several the one that is furthest.
    func listed(among specs: [TransferSpec]) -> [WantedFile: TransferID] {
        let wanted = Set(specs.lazy.compactMap(\.wanted))
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
