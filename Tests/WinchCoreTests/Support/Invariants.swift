@testable import WinchCore

/// What must hold of a queue after every event, computed anew from all transfers and never from the sums kept.
struct Invariants {
    private var before: Snapshot
    private var told: (completed: Int64, total: Int64)
    /// Something was unsettled since the last `queueFinished`.
    private var isRunning = false

    init(_ queue: TransferQueue) {
        before = Snapshot(queue)
        told = (0, 0)
    }

    /// Looks at the queue after `event`, whose feed has not been emptied yet.
    ///
    /// - Returns: what is broken, or `nil`.
    mutating func check(
        _ queue: TransferQueue, after event: QueueEvent, _ actions: [QueueAction], at now: Moment
    ) -> String? {
        let after = Snapshot(queue)
        defer { before = after }
        for told in queue.feed.events {
            self.told.completed += told.completed
            self.told.total += told.total
        }
        return sums(queue, after) ?? falls(queue, after, now) ?? quiet(event, after) ?? counts(queue, after)
            ?? places(queue, after) ?? turns(actions, queue, after) ?? run(queue, after) ?? transfers(event, after)
    }

    /// 1, 2, 5, 6, 10, 15, and the changes told.
    private func sums(_ queue: TransferQueue, _ after: Snapshot) -> String? {
        let (c, t) = (queue.progress.completed, queue.progress.total)
        if c < 0 || c > t { return "1: \(c)/\(t)" }
        if c != after.completed || t != after.total { return "2: \(c)/\(t), fold \(after.completed)/\(after.total)" }
        if told != (c, t) { return "told \(told), is \(c)/\(t)" }
        let value = queue.fraction.value
        if !(value >= 0 && value <= 1) { return "1: fraction \(value)" }
        if after.rows.isEmpty { return nil }
        if after.allSettled, c != t || value != 1 || queue.fraction.percent != 100 { return "5: \(c)/\(t) \(value)" }
        if !after.allSettled, value >= 1 || queue.fraction.percent > 99 { return "6: \(value)" }
        if queue.progress.settled != after.settled || after.settled > after.rows.count { return "10" }
        return after.isEstimated == queue.progress.isEstimated ? nil : "15: estimates are told wrongly"
    }

    /// 3: every fall of the sum, of the fraction or of a row has a rebase in the same step.
    private func falls(_ queue: TransferQueue, _ after: Snapshot, _ now: Moment) -> String? {
        if after.completed < before.completed || after.shown < before.shown {
            let hasRebase = queue.feed.events.contains { if case .rebase = $0.kind { true } else { false } }
            if !hasRebase { return "3: C or the bar fell without a rebase" }
        }
        if after.shown < before.shown, queue.feed.rebase?.at != now { return "3: the bar fell to \(after.shown)" }
        if let fallen = changed(after, { $1.have < $0.have && $1.rebasedAt != now }) {
            return "3: row \(fallen) fell"
        }
        return nil
    }

    /// 4, 11, 13: events that must not change the sums.
    private func quiet(_ event: QueueEvent, _ after: Snapshot) -> String? {
        let completed = after.completed - before.completed
        let isSame = completed == 0 && after.total == before.total
        switch event {
        case .added(let additions):
            let kept = additions.reduce(0) { $0 + max(0, $1.resume?.have.bytes ?? 0) }
            return completed >= 0 && completed <= kept ? nil : "11: adding changed C by \(completed)"
        case .command(.pause), .command(.pauseAll), .command(.resume), .command(.resumeAll):
            return isSame ? nil : "13: a pause changed the sums"
        case .command(.setSlots), .command(.setMode), .command(.setRateLimit), .command(.move), .command(.resumed):
            return isSame ? nil : "4: \(event)"
        case .command, .report, .tick: return nil
        }
    }

    /// Totals equal a recount.
    private func counts(_ queue: TransferQueue, _ after: Snapshot) -> String? {
        let kept = [queue.paused, queue.backoff, queue.active.count, queue.verifying]
        if kept != [after.paused, after.backoff, after.active, after.verifying] { return "counts by phase \(kept)" }
        if queue.progress.count != after.rows.count || queue.order.count != after.rows.count { return "count" }
        if queue.sizer.unasked != after.unasked { return "unasked" }
        if queue.sizer.ahead != after.ahead { return "ahead" }
        if queue.sizer.open.count > QueueSettings.sizingAtOnce { return "too many questions" }
        let known = after.known.sorted()
        let median = known.isEmpty ? 16_384 : known[(known.count - 1) / 2]
        return queue.known.estimate.bytes == median ? nil : "median"
    }

    /// Slots and hosts: never too many, and nobody waits without a reason.
    private func places(_ queue: TransferQueue, _ after: Snapshot) -> String? {
        var hosts: [String: Int] = [:]
        for row in after.rows where row.holdsSlot { hosts[row.host, default: 0] += 1 }
        if hosts != queue.activeByHost { return "hosts \(hosts), kept \(queue.activeByHost)" }
        if after.active > max(queue.settings.slots, before.active) { return "slots" }
        for count in hosts.values where count > queue.settings.perHost { return "host over its limit" }
        guard after.active < queue.settings.slots else { return nil }
        for row in after.rows where row.isReady && hosts[row.host, default: 0] < queue.settings.perHost {
            return "\(row.id.number) waits although there is room"
        }
        return nil
    }

    /// Nobody starts before another who was ahead in the queue and could have.
    private func turns(_ actions: [QueueAction], _ queue: TransferQueue, _ after: Snapshot) -> String? {
        for case .start(let request) in actions {
            guard let place = queue.order.firstIndex(of: request.id) else { return "started while gone" }
            let host = after.rows[place].host
            for row in after.rows[..<place] where row.isReady {
                if row.host == host || queue.activeByHost[row.host, default: 0] < queue.settings.perHost {
                    return "\(request.id.number) started before \(row.id.number)"
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
        // A transfer that settles in the very step in which it came back is a run as well.
        return ends == 1 || ends == 0 && !isDue ? nil : "16: finished \(ends) times"
    }

    /// 7, 14.
    private func transfers(_ event: QueueEvent, _ after: Snapshot) -> String? {
        for row in after.rows {
            if row.isFinished, row.size != .exact(row.have) { return "7" }
            if row.isClosing, row.holdsSlot { return "started while closing" }
        }
        guard case .report(let report) = event else { return nil }
        switch report.event {
        case .requested, .redirected, .probed, .bodyEnded, .finished:
            return changed(after, { $1.size.confidence < $0.size.confidence }).map { "14: \($0)" }
        case .opened, .moved, .outgrown, .failed, .stopped: return nil
        }
    }

    /// The first transfer, there before and after, for which `isBroken` holds.
    private func changed(_ after: Snapshot, _ isBroken: (Snapshot.Row, Snapshot.Row) -> Bool) -> Int? {
        // The order changes by a move or a removal only, and these change nothing else.
        for index in 0..<min(before.rows.count, after.rows.count) {
            let (old, new) = (before.rows[index], after.rows[index])
            if old.id == new.id, isBroken(old, new) { return new.id.number }
        }
        return nil
    }
}

/// A queue seen from outside, without its own sums.
private struct Snapshot {
    /// What is looked at of a transfer.
    struct Row {
        var id: TransferID
        var have: ByteCount
        var size: SizeKnowledge
        var host: String
        var rebasedAt: Moment?
        var holdsSlot: Bool
        var isReady: Bool
        var isFinished: Bool
        var isClosing: Bool
    }

    var rows: [Row] = []
    var completed: Int64 = 0
    var total: Int64 = 0
    var shown: Double
    var settled = 0
    var active = 0
    var verifying = 0
    var paused = 0
    var backoff = 0
    var unasked = 0
    var ahead = 0
    var isEstimated = false
    var known: [Int64] = []

    var allSettled: Bool { settled == rows.count }

    init(_ queue: TransferQueue) {
        shown = queue.fraction.value
        var sums = (completed: Int128(0), total: Int128(0))
        for id in queue.order {
            guard let transfer = queue[id] else { continue }
            count(transfer)
            let have = Int128(transfer.have.bytes)
            switch (transfer.phase, transfer.size) {
            case (.finished, _), (.failed, _), (.cancelled, _):
                sums.completed += have
                sums.total += have
            case (_, .unknown(let estimate)):
                sums.completed += have
                sums.total += max(have, Int128(estimate.bytes))
            case (_, .probed(let size)), (_, .declared(let size)), (_, .exact(let size)):
                sums.completed += min(have, Int128(size.bytes))
                sums.total += Int128(size.bytes)
            }
        }
        completed = Int64(clamping: sums.completed)
        total = Int64(clamping: sums.total)
    }

    private mutating func count(_ transfer: TransferState) {
        var row = Row(
            id: transfer.id, have: transfer.have, size: transfer.size, host: transfer.hostKey,
            rebasedAt: transfer.rebase?.at, holdsSlot: false, isReady: false, isFinished: false,
            isClosing: transfer.closing != nil)
        switch transfer.phase {
        case .waiting:
            row.isReady = !row.isClosing
            if transfer.sizing != .none { ahead += 1 } else if transfer.size.known == nil { unasked += 1 }
        case .connecting, .requested, .moving:
            active += 1
            row.holdsSlot = true
        case .verifying: verifying += 1
        case .paused: paused += 1
        case .backoff: backoff += 1
        case .finished:
            settled += 1
            row.isFinished = true
        case .failed, .cancelled: settled += 1
        }
        if let size = row.size.known { known.append(size.bytes) } else if !transfer.isSettled { isEstimated = true }
        rows.append(row)
    }
}
