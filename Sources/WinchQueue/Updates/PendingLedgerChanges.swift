package import WinchModel

/// What the ledger has not been told yet, and when it must be.
package struct PendingLedgerChanges: Sendable {
    /// What is to be told now.
    struct Due: Equatable {
        /// Off the list.
        var removed: [LedgerKey]
        /// To be written whole.
        var whole: TransferSet
        /// Have moved; the rest is as it was.
        var moved: TransferSet
        /// Have another rank; the rest is as it was.
        var ranked: TransferSet
    }

    /// For the next transfer that is new.
    private var nextKey: LedgerKey
    /// As of the last time that both clocks were read.
    private(set) var calendar: CalendarConversion
    /// To be written whole, now.
    private var urgent: TransferSet = []
    /// To be written whole, soon.
    private var pending: TransferSet = []
    /// Have moved; the rest is as it was.
    private var moved: TransferSet = []
    private var ranked: TransferSet = []
    private var removed: [LedgerKey] = []
    /// As in `Addition.otherQuery`, until the first answer.
    private var otherQueries: [TransferID: LedgerEntry] = [:]
    /// On the list again, which the ledger has not been told.
    private var restored: TransferSet = []
    /// When what is pending or has moved must be written.
    private var due: Moment?
    /// When changes were last taken.
    private var takenAt: Moment?

    /// What can wait, waits so long: more than a second's bytes are never fetched twice.
    static let span = Duration.seconds(1)
    /// Where states change by the hundred, ten writes a second take them all: each costs as much as a small file.
    static let pause = Duration.milliseconds(100)
    /// 1 MiB: a file this small is often complete before its start could be written, and is soon fetched again.
    static let quickSize = ByteCount(bytes: 1 << 20)

    init(nextKey: LedgerKey, calendar: CalendarConversion) {
        self.nextKey = nextKey
        self.calendar = calendar
    }

    /// When there is something to take; `nil`: nothing waits.
    var nextTake: Moment? {
        guard !urgent.isEmpty || !ranked.isEmpty || !removed.isEmpty else { return due }
        return [takenAt.map { $0 + Self.pause } ?? Moment(nanoseconds: .min), due].compactMap { $0 }.min()
    }

    mutating func noteNow(_ id: TransferID) { urgent.insert(id) }

    /// It was off the list, and the ledger has forgotten it or is about to.
    mutating func noteRestored(_ id: TransferID) {
        urgent.insert(id)
        restored.insert(id)
    }

    mutating func noteSoon(_ id: TransferID, at now: Moment) {
        pending.insert(id)
        due = due ?? now + Self.span
    }

    mutating func noteMoved(_ id: TransferID, at now: Moment) {
        moved.insert(id)
        due = due ?? now + Self.span
    }

    mutating func noteRank(_ id: TransferID) { ranked.insert(id) }

    /// It is off the list: nothing more is told of it.
    ///
    /// - Parameter key: `nil` when it has never been written.
    mutating func forget(_ id: TransferID, _ key: LedgerKey?) {
        if let key, !restored.remove(id) { removed.append(key) }
        for set in [\PendingLedgerChanges.urgent, \.pending, \.moved, \.ranked] { self[keyPath: set].remove(id) }
    }

    /// The entry is that of no transfer of the list.
    mutating func noteRemoved(_ key: LedgerKey) { removed.append(key) }

    mutating func noteOtherQuery(_ entry: LedgerEntry, of id: TransferID) { otherQueries[id] = entry }

    /// The entry whose part the transfer goes on with is in the list no more: the part is that of another URL now.
    mutating func noteOpened(_ id: TransferID, _ part: ResumePoint) {
        guard let other = otherQueries.removeValue(forKey: id), part.have > .zero,
            part.partPath == other.resume?.partPath
        else { return }
        noteRemoved(other.key)
    }

    mutating func takeKey() -> LedgerKey {
        defer { nextKey = LedgerKey(nextKey.number &+ 1) }
        return nextKey
    }

    /// Takes note of a transfer that has changed: what a crash loses of that must be little.
    ///
    /// - Parameter kind: as in `TransferQueue.change`.
    mutating func note(
        _ id: TransferID, at now: Moment, _ kind: FeedEvent.Kind?, from before: TransferState.Summary,
        to after: TransferState.Summary
    ) {
        guard before.kind.inLedger == after.kind.inLedger else { return noteNow(id) }
        switch kind {
        case .moved where after.have >= before.have && after.size == before.size: noteMoved(id, at: now)
        // From now on there is a part: its name and its validator are what a later run goes by.
        case .headers where after.size ?? .init(bytes: .max) > Self.quickSize: noteNow(id)
        case nil where after.have == before.have && after.size == before.size && after.holdsSlot == before.holdsSlot:
            break
        default: noteSoon(id, at: now)
        }
    }

    /// Takes out what is to be told at `now`; `nil`: nothing is due.
    ///
    /// - Parameter isLast: everything, due or not.
    mutating func take(at now: Moment, _ calendar: CalendarConversion, isLast: Bool) -> Due? {
        guard let next = nextTake, isLast || next <= now else { return nil }
        self.calendar = calendar
        takenAt = now
        var whole = urgent
        var bytes: TransferSet = []
        if isLast || due.map({ $0 <= now }) ?? false {
            whole.formUnion(pending)
            bytes = moved
            bytes.subtract(whole)
            (pending, moved, due) = ([], [], nil)
        } else if !whole.isEmpty {
            pending.subtract(whole)
            moved.subtract(whole)
            if pending.isEmpty, moved.isEmpty { due = nil }
        }
        ranked.subtract(whole)
        defer { (urgent, ranked, restored, removed) = ([], [], [], []) }
        return Due(removed: removed, whole: whole, moved: bytes, ranked: ranked)
    }
}

/// What a later run needs to go on. Without a ledger nothing is kept and nothing is spent.
extension TransferQueue {
    /// Keeps account of every change from now on.
    ///
    /// - Parameter firstKey: no key from here on has been used.
    package mutating func keepLedger(from firstKey: LedgerKey, calendar: CalendarConversion) {
        ledger = PendingLedgerChanges(nextKey: firstKey, calendar: calendar)
    }

    /// What changed since the last call and is due: changes of state at once, bytes and what can be found out again once
    /// a second.
    ///
    /// - Parameters:
    ///   - now: the instant of the last event.
    ///   - date: the same by the calendar.
    ///   - isLast: everything, due or not.
    package mutating func takeLedgerChanges(at now: Moment, _ date: UnixTime, isLast: Bool = false) -> [LedgerChange] {
        let calendar = CalendarConversion(now, is: date)
        guard let due = ledger?.take(at: now, calendar, isLast: isLast) else { return [] }
        var changes: [LedgerChange] = due.removed.map { .removed($0) }
        changes.reserveCapacity(changes.count + due.whole.count + due.moved.count + due.ranked.count)
        for id in due.whole {
            guard let index = index(of: id), let key = ask(index, { $0.record.key }) else { continue }
            let firstAttempt = detailsStore[id]?.attempts.first.map { calendar.date(of: $0.began) }
            update(id) { $0.setDates(date, firstAttempt: firstAttempt) }
            let rank = schedule.rank(of: id)
            let entry = ask(index) { $0.ledgerEntry(key, rank: rank, at: now) }
            changes.append(.put(entry))
            let isLarge = ask(index) { max($0.have, $0.size.known ?? .zero) > PendingLedgerChanges.quickSize }
            if let details = detailsStore[id]?.takeUnsaved(isLarge: isLarge, calendar) {
                changes.append(.detailed(key, details))
            }
        }
        for id in due.moved {
            guard let index = index(of: id), let key = rows[index].record.key else { continue }
            changes.append(
                .advanced(
                    key, onDisk: rows[index].resume?.onDisk ?? ByteRanges(),
                    durable: rows[index].resume?.durable ?? ByteRanges(),
                    received: rows[index].record.received))
        }
        for id in due.ranked {
            guard let index = index(of: id), let key = rows[index].record.key else { continue }
            changes.append(.ranked(key, schedule.rank(of: id)))
        }
        return changes
    }

    /// When changes must be taken although nothing comes in; `nil`: there are none, or the last are taken in any case.
    package func nextLedgerWrite(after now: Moment) -> Moment? {
        guard let ledger, !isEnding else { return nil }
        return ledger.nextTake.map { max(now, $0) }
    }

    /// A transfer has joined: a new one gets its key and is written, one from the ledger only where it is otherwise now.
    mutating func noteAdded(_ id: TransferID, at index: Int, _ addition: Addition) {
        guard ledger != nil, addition.refusal == nil else { return }
        guard let past = addition.past else {
            assignKey(to: id)
            ledger?.noteNow(id)
            if let other = addition.otherQuery { ledger?.noteOtherQuery(other, of: id) }
            return
        }
        if addition.isPastChanged || rows[index].standing != past.standing {
            ledger?.noteNow(id)
        } else if schedule.rank(of: id) != past.rank {
            ledger?.noteRank(id)
        }
    }

    mutating func noteForLedger(
        _ id: TransferID, at now: Moment, _ kind: FeedEvent.Kind?, from before: TransferState.Summary,
        to after: TransferState.Summary
    ) {
        guard ledger != nil else { return }
        // One that was refused is wanted after all.
        if before.kind.inLedger != after.kind.inLedger, let index = index(of: id), rows[index].record.key == nil {
            assignKey(to: id)
        }
        ledger?.note(id, at: now, kind, from: before, to: after)
    }

    private mutating func assignKey(to id: TransferID) {
        if let key = ledger?.takeKey() { update(id) { $0.record.key = key } }
    }
}

extension TransferState {
    /// What the ledger stores of it. Changes nothing: see `summarize`.
    fileprivate mutating func ledgerEntry(_ key: LedgerKey, rank: Int, at now: Moment) -> LedgerEntry {
        LedgerEntry(
            key: key, rank: rank, spec: spec, standing: standing, name: name, resume: resume, size: size,
            attempts: attemptsMade, received: record.received, addedAt: record.addedAt ?? UnixTime(milliseconds: 0),
            startedAt: record.startedAt, settledAt: record.settledAt, worked: timeWorked(at: now), warning: warning,
            validator: record.validator)
    }
}
