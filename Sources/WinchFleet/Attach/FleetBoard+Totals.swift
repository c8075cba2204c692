import WinchModel

/// The sums over the whole run.
extension FleetBoard {
    /// In entries: the sizes of those that wait are not known.
    func totals(at now: Moment) -> QueueTotals {
        var totals = QueueTotals()
        totals.mode = .simple
        totals.isHeld = control.isPaused
        totals.rateLimit = control.limit.map { ByteRate(perSecond: $0) }
        totals.slots = workers.values.reduce(0) { $0 + ($1.record?.jobs ?? 0) }
        guard let counts else {
            totals.isReading = true
            return totals
        }
        let (done, failed, left) = (
            Int(clamping: counts.done), Int(clamping: counts.failed), Int(clamping: counts.left)
        )
        (totals.count, totals.finished, totals.failed) = (done + failed + left, done, failed)
        (totals.total, totals.completed) = (Int64(totals.count), Int64(done + failed))
        totals.fraction = totals.count > 0 ? Double(done + failed) / Double(totals.count) : 0
        (totals.shares.succeeded, totals.shares.failed) = (Int64(done), Int64(failed))
        countRows(&totals, left: left)
        setBytes(&totals)
        guard totals.active > 0 else { return totals }
        totals.rate = rate
        let missing = ByteCount(bytes: totals.bytesTotal - totals.bytesDone)
        // Nothing is missing while no size is known: that says nothing of the time.
        let span = pace.time(for: left) ?? (missing > .zero ? rate.time(for: missing) : nil)
        totals.finish = span.map { now + $0 }
        return totals
    }

    private func countRows(_ totals: inout QueueTotals, left: Int) {
        for row in rows.values {
            if row.phase == .moving, row.stalledSince != nil { totals.stalled += 1 }
            if case .backoff = row.phase { totals.backoff += 1 }
            if row.phase == .verifying { totals.finishing += 1 }
        }
        totals.active = workers.values.reduce(0) { $0 + ($1.isLost ? 0 : $1.record?.working ?? 0) }
        totals.active = min(totals.active, left)
        totals.waiting = max(0, left - totals.active - totals.backoff - totals.finishing)
    }

    private func setBytes(_ totals: inout QueueTotals) {
        var (bytes, entries) = (Int64(0), 0)
        // A worker's record is newer than its tally, and disappears with it.
        for id in Set(workers.keys).union(tallies.keys) {
            let (tally, record) = (tallies[id], workers[id]?.record)
            bytes = bytes.saturatingAdd(max(tally?.bytes ?? 0, record?.bytes ?? 0))
            entries += max(tally?.done ?? 0, record?.done ?? 0)
        }
        let active = rows.values.filter(\.phase.isActive)
        let moving = active.reduce(Int64(0)) { $0.saturatingAdd($1.have.bytes) }
        totals.bytesDone = bytes.saturatingAdd(moving)
        if entries == 0 {
            // Until one is complete, those at work are all that is known.
            let sizes = active.compactMap { $0.size.known?.bytes }
            (bytes, entries) = (sizes.reduce(0) { $0.saturatingAdd($1) }, sizes.count)
        }
        guard entries > 0, totals.count > totals.finished else { return totals.bytesTotal = totals.bytesDone }
        let mean = Double(bytes) / Double(entries)
        let missing = mean * Double(totals.count - totals.finished - totals.failed) - Double(moving)
        totals.bytesTotal = totals.bytesDone.saturatingAdd(Int64(max(0, min(missing, 1e18))))
        totals.areBytesEstimated = totals.bytesTotal > totals.bytesDone
        // The time left is a guess as well.
        totals.guessed = totals.bytesTotal - totals.bytesDone
    }
}

/// How fast entries are settled, from their number at several instants of the last minute.
struct EntryPace: Sendable {
    private var samples: [(at: Moment, settled: UInt64)] = []

    private static let span = Duration.seconds(60)
    /// Fewer say little of the rest.
    private static let leastEntries: UInt64 = 20

    mutating func note(_ settled: UInt64, at now: Moment) {
        // After a retry there are fewer: what was before does not count.
        if let last = samples.last, last.settled > settled { samples = [] }
        samples.append((now, settled))
        samples.removeAll { now - $0.at > Self.span }
    }

    /// - Returns: `nil`: too few have been settled for a forecast.
    func time(for left: Int) -> Duration? {
        guard let first = samples.first, let last = samples.last, last.settled - first.settled >= Self.leastEntries
        else {
            return nil
        }
        let seconds = (last.at - first.at).seconds * Double(left) / Double(last.settled - first.settled)
        return seconds < TimeLeftFormat.longest ? .seconds(seconds) : nil
    }
}
