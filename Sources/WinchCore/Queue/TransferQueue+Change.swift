extension TransferQueue {
    /// The one place where a transfer changes: keeps every sum and set right, and tells the feed.
    ///
    /// When the completed bytes or the fraction fall, a rebase carries the change in the sums; otherwise the event does.
    ///
    /// - Parameters:
    ///   - kind: what happened, for faces that write events down; `nil` for a change of figures only.
    ///   - cause: why a bar may move back in this step.
    mutating func change(
        _ id: TransferID, at now: Moment, _ kind: FeedEvent.Kind?, cause: Rebase.Cause = .sizeLearned,
        _ body: (inout TransferState) -> Void
    ) {
        guard let index = index(of: id) else { return }
        let before = rows[index].footing
        let direction = rows[index].spec.direction
        let was = sums.snapshot(direction, in: settings.mode)
        body(&rows[index])
        if rows[index].phase != .waiting { rows[index].awaitsSpace = false }
        let after = rows[index].footing
        sums.replace(before.share, with: after.share, in: direction)
        if after.isSettled || after.holdsSlot { sums.noteStart() }
        sums.moveBar(direction, cause: cause)
        if before.isMoving != after.isMoving { meters.connectionsChanged(by: after.isMoving ? 1 : -1, at: now) }
        let step = was.step(to: sums.snapshot(direction, in: settings.mode))
        count(before, sign: -1)
        count(after, sign: 1)
        // Between two attempts time stands still; what was learned of the rate holds for the next.
        if after.isSettled {
            rows[index].estimator = nil
        } else if before.holdsSlot, !after.holdsSlot {
            rows[index].estimator?.pause()
        }
        if after.have < before.have || after.fraction < before.fraction {
            rows[index].rebase = Rebase(
                cause: cause, at: now, completed: (after.have - before.have).bytes,
                total: (after.size?.bytes ?? 0) - (before.size?.bytes ?? 0))
        }
        leaveAndEnterLine(id, before, after)
        note(id, at: now, kind, from: before, to: after)
        tell(
            id, direction, after, isNews: before.size != after.size || before.have != after.have, at: now, kind, step,
            cause)
    }

    private mutating func tell(
        _ id: TransferID, _ direction: Direction, _ transfer: TransferState.Footing, isNews: Bool,
        at now: Moment, _ kind: FeedEvent.Kind?, _ step: SumsSnapshot.Step, _ cause: Rebase.Cause
    ) {
        feed.noteChange(of: id)
        feed.noteTotals()
        if let kind { book.note(id, kind, host: transfer.hostKey, have: transfer.have, at: now) }
        var event = FeedEvent(
            id: id, direction: direction, at: now, kind: kind ?? .sized, completed: step.completed, total: step.total,
            have: transfer.have, size: transfer.size)
        if step.isShownBackwards { feed.noteRebase(step.rebase(cause, at: now), of: direction) }
        if step.isBackwards {
            var rebase = event
            rebase.kind = .rebase(cause)
            feed.append(rebase)
            (event.completed, event.total) = (0, 0)
        }
        // A size that is just what was guessed changes no sum, nor do bytes in one that is full: news all the same.
        if kind != nil || isNews || event.completed != 0 || event.total != 0 { feed.append(event) }
    }

    /// Adds a transfer to, or takes it from, the counts by phase.
    mutating func count(_ transfer: TransferState.Footing, sign: Int) {
        probes.count(transfer, sign: sign)
        if transfer.awaitsSpace { disks.countWaiting(by: sign) }
        resting.count(transfer.rest, sign: sign)
    }

    /// Slots and the waiting line follow from the phases before and after.
    private mutating func leaveAndEnterLine(
        _ id: TransferID, _ before: TransferState.Footing, _ after: TransferState.Footing
    ) {
        let leftSlot = before.holdsSlot && !after.holdsSlot
        if leftSlot {
            slots.release(id, at: before.hostKey)
        }
        if after.holdsSlot, !before.holdsSlot { slots.take(id, at: after.hostKey) }
        if after.isReady, !before.isReady { line.insert(id, rank: after.rank) }
        if after.wantsSizing, !before.wantsSizing { probes.enqueue(WaitingLine.Place(rank: after.rank, id: id)) }
        // Whoever left the line or a slot may have been the only one let out of the host's parking.
        if leftSlot || before.isReady && !after.isReady { unpark(before.hostKey) }
        if !after.isSettled { state.begin() }
    }

    mutating func unpark(_ host: String) {
        guard !hasNoRoom(host) else { return }
        let rows = rows
        // Whoever was given another address has a place elsewhere, and must not take the turn of one who waits for this host.
        line.unpark(host) { Self.isCurrent($0, in: rows) && rows[$0.id.number - 1].hostKey == host }
    }

    static func isCurrent(_ place: WaitingLine.Place, in rows: [TransferState]) -> Bool {
        let index = place.id.number - 1
        return rows[index].rank == place.rank && rows[index].isReady
    }
}

extension TransferState {
    /// What the queue's sums and sets need to know of a transfer, to tell before from after. Small, where a copy of the
    /// whole would cost a microsecond for each report of bytes.
    struct Footing {
        /// Unsettled, and neither in the line nor on a connection.
        enum Rest {
            case verifying, paused, backoff
        }

        /// What the ledger tells apart.
        enum Standing {
            case unfinished, paused, finished, failed, cancelled
        }

        let entry: QueueProgress.Entry
        let have: ByteCount
        let size: ByteCount?
        let rank: Int
        let hostKey: String
        let rest: Rest?
        let standing: Standing
        let holdsSlot: Bool
        let isMoving: Bool
        let isReady: Bool
        let wantsSizing: Bool
        /// Waiting, and its size is known ahead of time or asked for.
        let isAskedAhead: Bool
        let awaitsSpace: Bool

        var isSettled: Bool { entry.settled != nil }
        var share: QueueSums.Share { QueueSums.Share(entry: entry, size: size) }

        /// As the row's bar shows it.
        var fraction: Double {
            guard let size else { return 0 }
            return Fraction(completed: have.bytes, total: size.bytes, allSettled: false).value
        }
    }

    // Inlined, or the array would copy the whole transfer out for it.
    @inline(__always) var footing: Footing {
        Footing(
            entry: progress, have: have, size: size.known, rank: rank, hostKey: hostKey, rest: rest,
            standing: roughStanding,
            holdsSlot: holdsSlot, isMoving: phase == .moving, isReady: isReady, wantsSizing: wantsSizing,
            isAskedAhead: phase == .waiting && sizing != .none, awaitsSpace: awaitsSpace)
    }

    private var roughStanding: Footing.Standing {
        switch phase {
        case .waiting, .connecting, .requested, .moving, .replying, .verifying, .backoff: .unfinished
        case .paused: .paused
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }

    private var rest: Footing.Rest? {
        switch phase {
        case .verifying: .verifying
        case .paused: .paused
        case .backoff: .backoff
        case .waiting, .connecting, .requested, .moving, .replying, .finished, .failed, .cancelled: nil
        }
    }
}
