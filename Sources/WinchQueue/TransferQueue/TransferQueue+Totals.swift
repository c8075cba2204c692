package import WinchModel
package import WinchProgress

extension TransferQueue {
    package var fraction: Fraction { fraction(of: .down) }

    func fraction(of direction: Direction) -> Fraction { sums.fraction(of: direction, in: settings.mode) }

    package var progress: QueueProgress { sums[.down] }
    package var uploads: QueueProgress { sums[.up] }

    package func totals(at now: Moment) -> QueueTotals {
        var totals = QueueTotals()
        let both = sums.both
        let fraction = sums.fraction(in: settings.mode)
        totals.mode = settings.mode
        (totals.completed, totals.total) = both.counted(in: settings.mode)
        let exact = both.fraction(in: settings.mode, hasStarted: sums.hasStarted)
        totals.fraction = fraction.value
        totals.heldPercent = fraction == exact ? nil : fraction.percent
        let listings = sums.listings
        totals.isEstimated = settings.mode == .accurate && both.isEstimated || listings.open > 0
        totals.guessed = both.guessed
        totals.isIndeterminate = settings.mode == .accurate && both.isIndeterminate
        totals.shares = both.shares(in: settings.mode)
        (totals.bytesDone, totals.bytesTotal) = (both.completed, both.total)
        totals.areBytesEstimated = both.isEstimated
        totals.fetched = meters.moved.bytes
        (totals.startedAt, totals.endedAt) = (state.startedAt, state.endedAt)
        totals.meanRate = meters.moved > .zero ? meters.moved.rate(over: state.worked(at: now)) : nil
        totals.count = count
        totals.isReading = state.isReading
        totals.finished = both.finished
        totals.failed = both.failed
        totals.cancelled = both.cancelled
        totals.active = files[.active]
        if !listings.isEmpty {
            totals.listings = QueueTotals.Listings(
                open: listings.open, done: listings[.finished], failed: listings[.failed] + listings[.cancelled],
                paused: listings[.paused], active: listings[.active] + listings[.verifying])
        }
        totals.stalled = active.count { rows[$0.number - 1].isStalled(at: now) }
        totals.finishing = files[.verifying]
        totals.paused = files[.paused]
        totals.backoff = files[.backoff]
        totals.waiting = files[.waiting]
        totals.sizing = probes.progress
        totals.rate = rate(at: now)
        totals.finish = finish(at: now)
        totals.fullHosts = hosts.closed.union(slots.hosts.lazy.filter { hasNoRoom($0) }).sorted()
        totals.hostLimits = hostLimits
        totals.awaitingSpace = disks.waitingFolder.map {
            QueueTotals.AwaitingSpace(count: disks.waitingCount, folder: $0)
        }
        totals.rebase = feed.wholeRebase
        totals.uploads = uploads.count > 0 ? uploadTotals : nil
        totals.restorable = undo.restorableCount
        totals.slots = settings.slots
        totals.isHeld = settings.isHeld
        totals.rateLimit = settings.rateLimit
        totals.uploadLimit = settings.uploadLimit
        return totals
    }

    private var uploadTotals: QueueTotals.Uploads {
        let (completed, total) = uploads.counted(in: settings.mode)
        return QueueTotals.Uploads(
            completed: completed, total: total, fraction: fraction(of: .up).value,
            isEstimated: settings.mode == .accurate && uploads.isEstimated, bytesDone: uploads.completed,
            bytesTotal: uploads.total, count: uploads.count,
            finished: uploads.finished, failed: uploads.failed, cancelled: uploads.cancelled,
            rebase: feed.rebases[.up])
    }

    /// When all that is not paused will be done, about so while a size is only guessed; `nil` while all of them are.
    private func finish(at now: Moment) -> Moment? {
        let both = sums.both
        guard !active.isEmpty, !both.isIndeterminate else { return nil }
        let left = sums.unpausedBytes
        guard var end = meters.finish(of: left, at: now) else { return nil }
        // A limit that was just lowered is not yet in what was measured.
        if let least = settings.rateLimit?.time(for: left) { end = max(end, now + least) }
        // A row's own limit holds however much the others leave it.
        for id in active {
            let row = rows[id.number - 1]
            guard let size = row.size.known, let limit = row.settings.rateLimit else { continue }
            if let least = limit.time(for: size - row.have) { end = max(end, now + least) }
        }
        // What the whole stream was worth says little of the one slow file that is left: none is done before its last.
        guard active.count == 1, settled + files[.paused] + 1 == count, let id = active.first else { return end }
        return max(end, self[id]?.finish(at: now) ?? end)
    }
}
