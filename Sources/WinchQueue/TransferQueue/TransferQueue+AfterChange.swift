import WinchModel
import WinchProgress

extension TransferQueue {
    mutating func emit(
        _ id: TransferID, _ direction: Direction, from before: TransferState.Summary,
        to transfer: TransferState.Summary, at now: Moment, _ kind: FeedEvent.Kind?, _ step: SumsSnapshot.Step,
        _ cause: Rebase.Cause
    ) {
        feed.noteChange(of: id)
        feed.noteTotals()
        if let kind {
            detailsStore.note(id, kind, host: transfer.hostAndPort, have: transfer.have, at: now)
            if let call = ask(id.number - 1, { $0.hookCall(for: kind) }) { feed.hookCalls.append(call) }
        }
        var event = FeedEvent(
            id: id, direction: direction, at: now, kind: kind ?? .sized, completed: step.completed, total: step.total,
            have: transfer.have, size: transfer.size)
        feed.noteRebase(step, cause, of: direction, at: now)
        if step.isBackwards {
            var rebase = event
            rebase.kind = .rebase(cause)
            feed.append(rebase)
            (event.completed, event.total) = (0, 0)
            // The rebase has told all there is to tell.
            if direction == .up, before.size == transfer.size, kind == nil || kind == .moved { return }
        }
        // A size that is just what was guessed changes no sum, nor do bytes in one that is full: news all the same.
        let hasChanged = before.size != transfer.size || before.have != transfer.have
        if kind != nil || hasChanged || event.completed != 0 || event.total != 0 { feed.append(event) }
    }

    /// Adds a transfer to, or takes it from, the counts by phase.
    mutating func count(_ transfer: TransferState.Summary, sign: Int) {
        probes.count(transfer, sign: sign)
        if transfer.awaitsSpace { disks.waitingCount += sign }
        slots.kept.count(transfer, sign: sign)
        if transfer.isListing { return hosts.listings.count(transfer, sign: sign) }
        files.count(transfer.kind, sign: sign)
        if transfer.kind == .paused { sums.countPaused(transfer.entry, sign: sign) }
    }

    /// Slots and the waiting line follow from the phases before and after.
    mutating func leaveAndEnterLine(
        _ id: TransferID, _ before: TransferState.Summary, _ after: TransferState.Summary
    ) {
        var freed: [String] = []
        if before.connections.open != after.connections.open || before.lastConnection != after.lastConnection {
            freed = slots.set(id, rows[id.number - 1].connections.openHosts)
        }
        if after.isReady, !before.isReady || after.isListing != before.isListing {
            schedule.enqueue(id, isListing: after.isListing)
        }
        if after.wantsSizing, !before.wantsSizing { probes.enqueue(schedule.place(of: id)) }
        // The transfer that left may have been the only one of its host in the line: the next of that host takes its turn.
        for host in freed { unpark(host) }
        // Files get a place that was kept for a listing, and others one that was kept while a connection closed.
        let leavesPlace = before.isOpenListing && !after.isOpenListing || before.keepsSlot && !after.keepsSlot
        if leavesPlace || before.isReady && !after.isReady { unpark(before.hostAndPort) }
        if !after.isSettled { state.begin() }
    }

    mutating func unpark(_ host: String) {
        guard slots.taken(at: host) < hosts.places(at: host) else { return }
        let rows = rows
        // A transfer with a new address waits for another host, and must not take the turn of one that waits for this host.
        schedule.unpark(host) { rows[$0.number - 1].isReady(isListing: $1) && rows[$0.number - 1].hostAndPort == host }
    }
}

extension TransferState {
    /// What the queue's sums and sets need to know of a transfer, to tell before from after. Small, where a copy of the
    /// whole would cost a microsecond for each report of bytes.
    struct Summary {
        /// The phase without what belongs to it; `verifying` also while it is failing, as its row shows it.
        enum Kind: Int, CaseIterable {
            case waiting, active, verifying, paused, backoff, finished, failed, cancelled

            /// What the ledger tells apart: unsettled transfers are alike to it, but for those that are paused.
            var inLedger: Kind {
                switch self {
                case .waiting, .active, .verifying, .backoff: .waiting
                case .paused, .finished, .failed, .cancelled: self
                }
            }
        }

        let entry: QueueProgress.Entry
        let have: ByteCount
        let size: ByteCount?
        let hostAndPort: String
        let kind: Kind
        let connections: (open: Int, moving: Int)
        /// The number of the last one that was opened.
        let lastConnection: Int
        let isReady: Bool
        let keepsSlot: Bool
        let wantsSizing: Bool
        /// Waiting, and its size is known ahead of time or asked for.
        let isAskedAhead: Bool
        let awaitsSpace: Bool
        let isListing: Bool

        /// It is listed, or could be next: places of its host are kept for it.
        var isOpenListing: Bool { isListing && (isReady || keepsSlot || kind == .active || kind == .verifying) }
        var isSettled: Bool { entry.settled != nil }
        var holdsSlot: Bool { kind == .active }
        var share: QueueSums.Share {
            guard isListing else { return QueueSums.Share(entry: entry, size: size) }
            let hasFailed = kind == .failed || kind == .cancelled
            return QueueSums.Share(entry: hasFailed ? entry : nil, size: nil, listing: kind)
        }

        /// As the row's bar shows it.
        var fraction: Double {
            guard let size else { return 0 }
            return Fraction(completed: have.bytes, total: size.bytes, allSettled: false).value
        }
    }

    var summary: Summary {
        var copy = self
        return copy.summarize()
    }

    /// Changes nothing. A method that mutates gets the row by its address, where a getter gets a copy of the whole: some
    /// four hundred instructions, several times for each report.
    mutating func summarize() -> Summary {
        Summary(
            entry: progress, have: have, size: size.known, hostAndPort: hostAndPort, kind: kind, connections: counts,
            lastConnection: lastConnection.number, isReady: isReady, keepsSlot: keepsSlot, wantsSizing: wantsSizing,
            isAskedAhead: isWaiting && (sizing == .asked || sizing == .answered), awaitsSpace: awaitsSpace,
            isListing: isListing)
    }

    @inline(__always) private var kind: Summary.Kind {
        switch phase {
        case .waiting: isFailing ? .verifying : .waiting
        case .active: .active
        case .verifying: .verifying
        case .paused: .paused
        case .backoff: .backoff
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}

extension TransferState {
    /// - Returns: the command that is due after the event; `nil`: none.
    func hookCall(for kind: FeedEvent.Kind) -> HookCall? {
        if isListing { return nil }
        return switch kind {
        // A Metalink that is replaced by its files is no file: those have their own calls.
        case .finished(.listed): nil
        // It was finished before, and has not changed.
        case .finished(.alreadyComplete) where record.wasFinished: nil
        case .finished(let outcome): settings.onDone.map { hookCall($0, .done(outcome)) }
        case .failed(let failure): settings.onFail.map { hookCall($0, .failed(failure)) }
        default: nil
        }
    }

    private func hookCall(_ command: HookCommand, _ event: HookCall.Event) -> HookCall {
        HookCall(command, event, of: id, spec, mirror: mirror, name: name, have: have)
    }
}
