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
        let was = sums(direction)
        body(&rows[index])
        if rows[index].phase != .waiting { rows[index].awaitsSpace = false }
        let after = rows[index].footing
        self[direction].replace(before.entry, with: after.entry)
        if before.size != after.size, direction == .down {
            learn(before.size, sign: -1)
            learn(after.size, sign: 1)
        }
        if after.isSettled || after.holdsSlot { hasStarted = true }
        moveBar(direction, cause: cause)
        if before.isMoving != after.isMoving { connections.change(by: after.isMoving ? 1 : -1, at: now) }
        let step = was.step(to: sums(direction))
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
        at now: Moment, _ kind: FeedEvent.Kind?, _ step: Sums.Step, _ cause: Rebase.Cause
    ) {
        feed.changed.insert(id)
        feed.areTotalsChanged = true
        if let kind { book.note(id, kind, host: transfer.hostKey, have: transfer.have, at: now) }
        var event = FeedEvent(
            id: id, direction: direction, at: now, kind: kind ?? .sized, completed: step.completed, total: step.total,
            have: transfer.have, size: transfer.size)
        if step.isShownBackwards { feed.rebases[direction] = step.rebase(cause, at: now) }
        if step.isBackwards {
            var rebase = event
            rebase.kind = .rebase(cause)
            feed.append(rebase)
            (event.completed, event.total) = (0, 0)
        }
        // A size that is just what was guessed changes no sum, nor do bytes in one that is full: news all the same.
        if kind != nil || isNews || event.completed != 0 || event.total != 0 { feed.append(event) }
    }

    /// Adds a download's size to, or takes it from, those that guesses are made of. What has not begun counts with the
    /// new guess from now on.
    mutating func learn(_ size: ByteCount?, sign: Int) {
        guard let size else { return }
        if sign > 0 { known.insert(size) } else { known.remove(size) }
        progress.guess = known.estimate.bytes
    }

    /// Adds a transfer to, or takes it from, the counts by phase.
    mutating func count(_ transfer: TransferState.Footing, sign: Int) {
        probes.count(transfer, sign: sign)
        if transfer.awaitsSpace { spaceless += sign }
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
        if !after.isSettled { isRunning = true }
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

/// The sums of a queue in one direction at one instant, to tell what a step did to them.
struct Sums {
    private let completed: Int64
    private let total: Int64
    private let accurate: Double
    /// In the mode that the queue's bar counts in.
    private let shown: (completed: Int64, total: Int64, fraction: Double)

    struct Step {
        /// Changes of the accurate sums.
        var completed: Int64
        var total: Int64
        /// Changes in the mode of the queue's bar.
        var shown: (completed: Int64, total: Int64)
        /// The completed bytes or the fraction fell: a rebase.
        var isBackwards: Bool
        /// The queue's own bar fell.
        var isShownBackwards: Bool

        var isNothing: Bool { completed == 0 && total == 0 && !isBackwards }

        func rebase(_ cause: Rebase.Cause, at now: Moment) -> Rebase {
            Rebase(cause: cause, at: now, completed: shown.completed, total: shown.total)
        }
    }

    /// - Parameters:
    ///   - accurate: the fraction in bytes, as shown.
    ///   - fraction: in `mode`.
    init(_ progress: QueueProgress, mode: ProgressMode, accurate: Double, fraction: Double) {
        (completed, total) = (progress.completed, progress.total)
        self.accurate = accurate
        let counted = progress.counted(in: mode)
        shown = (counted.completed, counted.total, fraction)
    }

    func step(to after: Sums) -> Step {
        let isShownBackwards = after.shown.fraction < shown.fraction
        return Step(
            completed: after.completed - completed, total: after.total - total,
            shown: (after.shown.completed - shown.completed, after.shown.total - shown.total),
            isBackwards: after.completed < completed || after.accurate < accurate || isShownBackwards,
            isShownBackwards: isShownBackwards)
    }
}

extension TransferQueue {
    func sums(_ direction: Direction) -> Sums {
        let accurate = fraction(of: direction, in: .accurate).value
        return Sums(
            self[direction], mode: settings.mode, accurate: accurate,
            fraction: settings.mode == .accurate ? accurate : fraction(of: direction, in: .simple).value)
    }
}
