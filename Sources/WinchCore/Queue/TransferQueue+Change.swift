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
        guard let before = self[id] else { return }
        var after = before
        body(&after)
        let was = sums
        progress.replace(before.progress, with: after.progress)
        let step = was.step(to: sums)
        if before.size.known != after.size.known {
            learn(before.size, sign: -1)
            learn(after.size, sign: 1)
        }
        count(before, sign: -1)
        count(after, sign: 1)
        // A paused, failed or finished transfer has no present rate; nor has the next attempt of it yet.
        if !after.holdsSlot { after.estimator = nil }

        if after.have < before.have || Self.fraction(of: after) < Self.fraction(of: before) {
            after.rebase = Rebase(
                cause: cause, at: now, completed: (after.have - before.have).bytes,
                total: (after.size.known?.bytes ?? 0) - (before.size.known?.bytes ?? 0))
        }
        rows[id.number - 1] = after
        leaveAndEnterLine(before, after)
        tell(after, at: now, kind, step, cause)
    }

    private mutating func tell(
        _ transfer: TransferState, at now: Moment, _ kind: FeedEvent.Kind?, _ step: Sums.Step, _ cause: Rebase.Cause
    ) {
        feed.changed.insert(transfer.id)
        feed.areTotalsChanged = true
        var event = FeedEvent(
            id: transfer.id, at: now, kind: kind ?? .sized, completed: step.completed, total: step.total,
            have: transfer.have, size: transfer.size.known)
        if step.isShownBackwards {
            feed.rebase = step.rebase(cause, at: now)
        }
        if step.isBackwards {
            var rebase = event
            rebase.kind = .rebase(cause)
            feed.append(rebase)
            (event.completed, event.total) = (0, 0)
        }
        if kind != nil || event.completed != 0 || event.total != 0 { feed.append(event) }
    }

    private static func fraction(of transfer: TransferState) -> Double {
        guard let size = transfer.size.known else { return 0 }
        return Fraction(completed: transfer.have.bytes, total: size.bytes, allSettled: false).value
    }

    /// Adds a size to, or takes it from, those that guesses are made of.
    mutating func learn(_ size: SizeKnowledge, sign: Int) {
        guard let size = size.known else { return }
        if sign > 0 { known.insert(size) } else { known.remove(size) }
    }

    /// Adds a transfer to, or takes it from, the counts by phase.
    mutating func count(_ transfer: TransferState, sign: Int) {
        if transfer.wantsSizing { sizer.unasked += sign }
        if transfer.phase == .waiting, transfer.sizing != .none { sizer.ahead += sign }
        switch transfer.phase {
        case .verifying: verifying += sign
        case .paused: paused += sign
        case .backoff: backoff += sign
        case .waiting, .connecting, .requested, .moving, .finished, .failed, .cancelled: break
        }
    }

    /// Slots and the waiting line follow from the phases before and after.
    private mutating func leaveAndEnterLine(_ before: TransferState, _ after: TransferState) {
        let id = after.id
        let leftSlot = before.holdsSlot && !after.holdsSlot
        if leftSlot {
            active.remove(id)
            activeByHost[before.hostKey, default: 1] -= 1
            if activeByHost[before.hostKey] == 0 { activeByHost[before.hostKey] = nil }
        }
        if after.holdsSlot, !before.holdsSlot {
            active.insert(id)
            activeByHost[after.hostKey, default: 0] += 1
        }
        let wasWaiting = before.isReady
        if after.isReady, !wasWaiting { line.insert(id, rank: after.rank) }
        if after.wantsSizing, !before.wantsSizing {
            sizer.line.insert(WaitingLine.Place(rank: after.rank, id: id))
        }
        // Whoever left the line or a slot may have been the only one let out of the host's parking.
        if leftSlot || wasWaiting && !after.isReady { unpark(before.hostKey) }
        if after.isSettled || after.holdsSlot { hasStarted = true }
        if !after.isSettled { isRunning = true }
    }

    mutating func unpark(_ host: String) {
        guard !hasNoRoom(host) else { return }
        let rows = rows
        line.unpark(host) { Self.isCurrent($0, in: rows) }
    }

    func hasNoRoom(_ host: String) -> Bool {
        activeByHost[host, default: 0] >= settings.perHost
    }

    static func isCurrent(_ place: WaitingLine.Place, in rows: [TransferState?]) -> Bool {
        guard let transfer = rows[place.id.number - 1] else { return false }
        return transfer.isReady && transfer.rank == place.rank
    }
}

/// The sums of a queue at one instant, to tell what a step did to them.
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

        func rebase(_ cause: Rebase.Cause, at now: Moment) -> Rebase {
            Rebase(cause: cause, at: now, completed: shown.completed, total: shown.total)
        }
    }

    init(_ progress: QueueProgress, mode: ProgressMode, hasStarted: Bool) {
        (completed, total) = (progress.completed, progress.total)
        accurate = progress.fraction(in: .accurate, hasStarted: hasStarted).value
        let counted = progress.counted(in: mode)
        let fraction = mode == .accurate ? accurate : progress.fraction(in: mode, hasStarted: hasStarted).value
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
    var sums: Sums { Sums(progress, mode: settings.mode, hasStarted: hasStarted) }
}
