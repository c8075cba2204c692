@testable import WinchModel
@testable import WinchProgress
@testable import WinchQueue

/// Conditions that must hold for a queue after every event, computed from all transfers and never from stored sums.
struct Invariants {
    private var before: Snapshot
    /// By direction.
    private var reported: [(completed: Int64, total: Int64)] = [(0, 0), (0, 0)]
    private var late: Int
    /// Something was unsettled since the last `queueFinished`.
    private var isRunning = false

    init(_ queue: TransferQueue) {
        before = Snapshot(queue)
        late = queue.ignored
    }

    /// Checks the queue after `event`, before its feed is emptied.
    ///
    /// - Returns: the violated condition, or `nil`.
    mutating func check(
        _ queue: TransferQueue, after event: QueueEvent, _ actions: [QueueAction], at now: Moment
    ) -> String? {
        let after = Snapshot(queue)
        defer { (before, late) = (after, queue.ignored) }
        for event in queue.feed.events {
            reported[event.direction.index].completed += event.completed
            reported[event.direction.index].total += event.total
        }
        for direction in Direction.allCases {
            if let broken = sums(queue, after, direction) ?? falls(queue, after, direction, now) { return broken }
        }
        return rows(after, now) ?? quiet(event, after) ?? counts(queue, after, now) ?? places(queue, after)
            ?? turns(actions, queue, after) ?? run(queue, after) ?? transfers(event, queue, after)
            ?? uploads(event, actions, queue, after)
    }

    /// 1, 2, 5, 6, 10, 15, and the reported changes.
    private func sums(_ queue: TransferQueue, _ after: Snapshot, _ direction: Direction) -> String? {
        let (progress, bar) = (queue.sums[direction], after.bars[direction.index])
        let (c, t) = (progress.completed, progress.total)
        if c < 0 || c > t { return "1: \(c)/\(t)" }
        if c != bar.completed || t != bar.total { return "2: \(c)/\(t), fold \(bar.completed)/\(bar.total)" }
        if reported[direction.index] != (c, t) { return "told \(reported), is \(c)/\(t)" }
        let fraction = queue.fraction(of: direction)
        if !(fraction.value >= 0 && fraction.value <= 1) { return "1: fraction \(fraction.value)" }
        if progress.settled != bar.settled || progress.count != bar.count || bar.settled > bar.count { return "10" }
        if bar.isEstimated != progress.isEstimated { return "15: estimates are told wrongly" }
        let exact = progress.fraction(in: queue.settings.mode, hasStarted: queue.sums.hasStarted).value
        let isHeld = progress.isEstimated && queue.settings.mode == .accurate
        if fraction.value != exact, !isHeld { return "2: the bar stands at \(fraction.value), not \(exact)" }
        if !progress.isIndeterminate, fraction.value < exact || fraction.value > exact + 0.1 { return "2: held" }
        guard bar.count > 0 || bar.open > 0 else { return t == 0 ? nil : "2: \(t) of nothing" }
        let isOver = bar.settled == bar.count && bar.open == 0
        if isOver, c != t || fraction.value != 1 || fraction.percent != 100 {
            return "5: \(c)/\(t) \(fraction.value)"
        }
        return !isOver && (fraction.value >= 1 || fraction.percent > 99) ? "6: \(fraction.value)" : nil
    }

    /// 3: every decrease of the sum or of the fraction has a rebase in the same step.
    private func falls(
        _ queue: TransferQueue, _ after: Snapshot, _ direction: Direction, _ now: Moment
    ) -> String? {
        let (old, new) = (before.bars[direction.index], after.bars[direction.index])
        guard new.completed < old.completed || new.shown < old.shown else { return nil }
        let hasRebase = queue.feed.events.contains {
            if case .rebase = $0.kind { $0.direction == direction } else { false }
        }
        if !hasRebase { return "3: C or the bar fell without a rebase" }
        return new.shown < old.shown && queue.feed.rebases[direction]?.at != now ? "3: bar fell to \(new.shown)" : nil
    }

    /// 3, of a row.
    private func rows(_ after: Snapshot, _ now: Moment) -> String? {
        changed(after) { ($1.have < $0.have || $1.fraction < $0.fraction) && $1.rebasedAt != now }
            .map { "3: row \($0) fell" }
    }

    /// 4, 11, 13: events that must not change the sums.
    private func quiet(_ event: QueueEvent, _ after: Snapshot) -> String? {
        let isSame = before.bars[0].isAt(after.bars[0]) && before.bars[1].isAt(after.bars[1])
        switch event {
        case .added(let additions):
            for direction in Direction.allCases {
                let kept = additions.filter { $0.spec.direction == direction }.map(\.bytesThere)
                let most = kept.reduce(0) { $0 + max(0, $1) }
                let change = after.bars[direction.index].completed - before.bars[direction.index].completed
                if change < 0 || change > most { return "11: adding changed C by \(change)" }
            }
            return nil
        case .command(.pause), .command(.pauseAll), .command(.resume), .command(.resumeAll):
            return isSame ? nil : "13: a pause changed the sums"
        case .recalled, .reading, .command(.setSlots), .command(.setMode), .command(.setRateLimit),
            .command(.setUploadLimit), .command(.setRateLimitEach), .command(.changeConnections), .command(.move),
            .command(.shift), .command(.shareHosts),
            .command(.resumed):
            return isSame ? nil : "4: \(event)"
        case .command, .reports, .named, .takenOver, .admitted, .space, .woke, .tick: return nil
        }
    }

    /// Totals equal a recount.
    private func counts(_ queue: TransferQueue, _ after: Snapshot, _ now: Moment) -> String? {
        let kept = [queue.files[.paused], queue.files[.backoff], queue.active.count, queue.files[.verifying]]
        if kept != [after.paused, after.backoff, after.active, after.verifying] { return "counts by phase \(kept)" }
        let totals = queue.totals(at: now)
        if totals.active != after.active - after.listing { return "active" }
        if totals.finishing != after.verifying { return "finishing" }
        if totals.waiting != after.waiting { return "waiting \(totals.waiting)" }
        let bars = after.bars
        let whole = (
            Int64(clamping: Int128(bars[0].completed) + Int128(bars[1].completed)),
            Int64(clamping: Int128(bars[0].total) + Int128(bars[1].total))
        )
        if (totals.bytesDone, totals.bytesTotal) != whole { return "bytes" }
        if totals.fraction < before.whole, totals.rebase?.at != now { return "3: the whole fell to \(totals.fraction)" }
        if totals.allSettled != (totals.fraction == 1), !after.rows.isEmpty { return "5: the whole" }
        if queue.progress.shares(in: .accurate) != after.shares { return "shares \(totals.shares)" }
        if (totals.endedAt != nil) != (after.allSettled && !after.rows.isEmpty) { return "end \(after.allSettled)" }
        if queue.sums.rowCount != after.rows.count || queue.order.count != after.rows.count { return "count" }
        if queue.probes.unprobed != after.unprobed { return "unasked" }
        if queue.probes.ahead != after.ahead { return "ahead" }
        if queue.disks.waitingCount != after.spaceless { return "spaceless" }
        if queue.probes.open.count > SizeProbes.mostOpen { return "too many questions" }
        return queue.sums.estimate.bytes == after.median ? nil : "median"
    }

    /// Slots and hosts: never too many connections, and no transfer waits without a reason.
    private func places(_ queue: TransferQueue, _ after: Snapshot) -> String? {
        var hosts: [String: Int] = [:]
        for host in after.rows.flatMap(\.hosts) { hosts[host, default: 0] += 1 }
        if hosts.contains(where: { $1 != queue.slots.count(at: $0) }) || hosts.count != queue.slots.hosts.count {
            return "hosts \(hosts), kept \(queue.slots)"
        }
        let slots = queue.settings.slots
        // So many listings take no slot.
        let share = max(1, slots / 4)
        if after.active - after.listing > max(slots, before.active - before.listing) { return "slots" }
        let taken = after.active - min(after.listing, share)
        if taken > max(slots, before.active - min(before.listing, share)) { return "slots, with listings" }
        if after.listing > max(share, before.listing), after.active > max(slots, before.active) {
            return "listings beyond their share"
        }
        let kept = queue.slots.kept
        if (kept.files, kept.listings) != after.kept { return "kept slots \(kept)" }
        for count in hosts.values where count > queue.settings.perHost { return "host over its limit" }
        if queue.hosts.shares.areInForce, let host = hosts.keys.first(where: { isOverShare($0, hosts, queue) }) {
            return "\(host) has more connections than its share"
        }
        let free = slots - after.active - kept.files - kept.listings
        let listings = after.listing + kept.listings
        for row in after.rows {
            if kept.count(at: row.host) != after.keptPlaces[row.host, default: 0] { return "kept at \(row.host)" }
            let (all, left) = (queue.hosts.places(at: row.host), placesForFiles(at: row.host, queue, after))
            if queue.hosts.placesForFiles(at: row.host) != left { return "\(row.host) has \(left) places for files" }
            let hasSlot = row.isListing ? max(free, share - listings) > 0 : free + min(listings, share) > 0
            let places = hosts[row.host, default: 0] + kept.count(at: row.host)
            if row.isReady || row.isAhead, hasSlot, places < (row.isListing ? all : left) {
                return "\(row.id.number) waits although there is a place"
            }
        }
        return nil
    }

    /// Without those that are kept for listings that wait.
    private func placesForFiles(at host: String, _ queue: TransferQueue, _ after: Snapshot) -> Int {
        let places = queue.hosts.places(at: host)
        guard places > 1, let listings = after.openListings[host] else { return places }
        return places - max(0, min(listings.count, max(1, places / 4)) - listings.active)
    }

    /// More connections than the queue was given, and than it had before.
    private func isOverShare(_ host: String, _ hosts: [String: Int], _ queue: TransferQueue) -> Bool {
        let old = before.rows.flatMap(\.hosts).count { $0 == host }
        return hosts[host, default: 0] > max(old, queue.hosts.places(at: host))
    }

    /// No transfer starts before another that was ahead in the queue and could have started.
    private func turns(_ actions: [QueueAction], _ queue: TransferQueue, _ after: Snapshot) -> String? {
        for case .open(let request) in actions where !request.isFurther {
            guard let place = queue.order.firstIndex(of: request.transfer) else { return "started while gone" }
            // Folders have a line of their own.
            if after.rows[place].isListing { continue }
            let host = after.rows[place].host
            // Files whose number of connections the user named may open more of them than the host has places.
            let further = actions.count {
                if case .open(let other) = $0 { other.isFurther && other.url.hostAndPort == host } else { false }
            }
            if queue.slots.count(at: host) - further > placesForFiles(at: host, queue, after) {
                return "\(request.transfer.number) has the place of a listing"
            }
            for row in after.rows[..<place] where (row.isReady || row.isAhead) && !row.isListing {
                if row.host == host
                    || queue.slots.taken(at: row.host) < placesForFiles(at: row.host, queue, after)
                {
                    return "\(request.transfer.number) started before \(row.id.number)"
                }
            }
        }
        return nil
    }

    /// 16: `queueFinished` once per run, after the last settle.
    private mutating func run(_ queue: TransferQueue, _ after: Snapshot) -> String? {
        var ends = 0
        for event in queue.feed.events where event.kind == .queueFinished { ends += 1 }
        if !after.allSettled { isRunning = true }
        if ends > 0, !after.allSettled || queue.feed.events.last?.kind != .queueFinished {
            return "16: finished before the end"
        }
        let isDue = isRunning && after.allSettled && !after.rows.isEmpty
        if isDue { isRunning = false }
        // A transfer that settles in the same step in which it was restored is a run as well.
        return ends == 1 || ends == 0 && !isDue ? nil : "16: finished \(ends) times"
    }

    /// 7, 12, 14.
    private func transfers(_ event: QueueEvent, _ queue: TransferQueue, _ after: Snapshot) -> String? {
        for row in after.rows {
            if row.have < .zero { return "12: less than nothing" }
            if row.isFinished, row.size != .exact(row.have) { return "7" }
            if row.isClosing, row.holdsSlot { return "started while closing" }
            if let broken = connections(row, queue) { return "connections: \(broken) of \(row.id.number)" }
        }
        guard case .reports(let reports) = event, let report = reports.first else { return nil }
        let fallen = { (isAllowed: (Snapshot.Row, Snapshot.Row) -> Bool) in
            changed(after) { $1.size.confidence < $0.size.confidence && !isAllowed($0, $1) }.map { "14: \($0)" }
        }
        switch report.event {
        case .requested, .connected, .demanded, .mirrors, .redirected, .durable, .probed, .warned, .verified,
            .bodyEnded,
            .finished, .found, .listed, .ended, .wrongPiece, .replied:
            return fallen { _, _ in false }
        case .unsent(let left, _):
            let isHeard = late == queue.ignored
            if isHeard, queue[report.id]?.have != left { return "12: \(report.id) was not unsent" }
            return fallen { _, _ in false }
        case .moved: return fallen { $1.have > $0.size.known ?? .zero }
        case .sent(_, let size): return fallen { $1.have > min($0.size.known ?? .zero, size ?? $1.have) }
        // The server may have another file by now, or none; a fact of this attempt is none of the next.
        case .opened, .placed, .failed, .stopped: return nil
        }
    }

    /// What is at a server is removed there, and what is on disk here; nothing is sent twice that may have had its effect.
    private func uploads(
        _ event: QueueEvent, _ actions: [QueueAction], _ queue: TransferQueue, _ after: Snapshot
    ) -> String? {
        for action in actions {
            switch action {
            case .proceed(let id):
                if queue[id.transfer]?.spec.direction != .up { return "\(id) goes on, which is no upload" }
            case .withdraw(let request): if request.upload == nil { return "withdraws a download" }
            case .discard(let id, _, _, _, _):
                if queue[id]?.spec.direction == .up { return "discards the part of an upload" }
            default: break
            }
        }
        guard case .reports(let reports) = event, let report = reports.first,
            case .failed(let failure, _, _) = report.event, late == queue.ignored,
            queue[report.id]?.spec.upload?.isSentOnce == true,
            let old = before.rows.first(where: { $0.id == report.id }), old.holdsSlot,
            old.lastConnection == report.connection
        else { return nil }
        switch failure {
        case .connectionLost, .stalled:
            return after.rows.first { $0.id == report.id }?.isSettled == true ? nil : "a POST is sent again"
        default: return nil
        }
    }

    /// A transfer takes a slot by its open connections alone, and has no other but the one that brought the file, and
    /// those that are closing.
    private func connections(_ row: Snapshot.Row, _ queue: TransferQueue) -> String? {
        let (connections, last) = (row.connections, row.lastConnection)
        if row.holdsSlot != !row.hosts.isEmpty { return "a slot and \(row.hosts.count) connections" }
        if queue.slots.holders.contains(row.id) != row.holdsSlot { return "another slot" }
        let delivered = connections.all.filter { $0.phase == .delivered }
        let isVerifying = queue[row.id]?.phase == .verifying(isCancelling: false)
        if delivered.count != (isVerifying ? 1 : 0) { return "\(delivered.count) delivered" }
        for connection in connections.all {
            let id = connection.id
            if id.transfer != row.id || id.epoch > last.epoch || id.number > last.number { return "\(id)" }
        }
        if Set(connections.all.map(\.id)).count != connections.all.count { return "one connection twice" }
        return nil
    }

    /// The first transfer, there before and after, for which `isBroken` holds.
    private func changed(_ after: Snapshot, _ isBroken: (Snapshot.Row, Snapshot.Row) -> Bool) -> Int? {
        // The order changes only by a move, a removal or its undoing, and these change nothing else.
        for index in 0..<min(before.rows.count, after.rows.count) {
            let (old, new) = (before.rows[index], after.rows[index])
            if old.id == new.id, isBroken(old, new) { return new.id.number }
        }
        return nil
    }
}
