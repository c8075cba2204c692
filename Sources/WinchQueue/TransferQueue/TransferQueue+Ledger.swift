package import WinchModel

/// What a later run needs to go on. Without a ledger nothing is kept and nothing is spent.
extension TransferQueue {
    /// Keeps account of every change from now on.
    ///
    /// - Parameters:
    ///   - firstKey: no key from here on has been used.
    ///   - calendar: as of now.
    ///   - allowances: what earlier runs found hosts to allow.
    package mutating func keepLedger(
        from firstKey: LedgerKey, calendar: CalendarConversion, allowances: [LearnedHostLimit] = []
    ) {
        ledger = PendingLedgerChanges(nextKey: firstKey, calendar: calendar)
        for allowance in allowances {
            hosts.remember(
                allowance.host, allows: allowance.connections,
                until: calendar.moment(of: allowance.learnedAt) + FileLimit.lifetime)
        }
    }

    /// The host refused a connection of a file beside so many that it has let in.
    mutating func noteFileLimit(_ connections: Int, of host: String, at now: Moment) {
        guard hosts.noteFileLimit(connections, of: host, at: now) else { return }
        ledger?.noteAllowance(of: host, connections, at: now)
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
            note(
                .dated(date, firstAttempt: detailsStore[id]?.attempts.first.map { calendar.date(of: $0.began) }), of: id
            )
            let rank = schedule.rank(of: id)
            let entry = ask(index) { $0.ledgerEntry(key, rank: rank, at: now) }
            changes.append(.put(entry))
            let isLarge = ask(index) { max($0.have, $0.size.known ?? .zero) > PendingLedgerChanges.quickSize }
            if let details = detailsStore.takeUnsaved(id, isLarge: isLarge, calendar) {
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
        for (host, connections) in due.allowances.sorted(by: { $0.key < $1.key }) {
            changes.append(.allowed(LearnedHostLimit(host: host, connections: connections, learnedAt: date)))
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
            return
        }
        if past.isChanged || rows[index].standing != past.standing {
            ledger?.noteNow(id)
        } else if schedule.rank(of: id) != past.rank {
            ledger?.noteRank(id)
        }
    }

    /// A transfer has changed.
    ///
    /// - Parameter kind: as in `change`.
    mutating func noteForLedger(
        _ id: TransferID, at now: Moment, _ kind: FeedEvent.Kind?, from before: TransferState.Summary,
        to after: TransferState.Summary
    ) {
        guard ledger != nil else { return }
        // One that was refused is wanted after all.
        if before.standing != after.standing, let index = index(of: id), rows[index].record.key == nil {
            assignKey(to: id)
        }
        ledger?.note(id, at: now, kind, from: before, to: after)
    }

    private mutating func assignKey(to id: TransferID) {
        if let key = ledger?.takeKey() { note(.key(key), of: id) }
    }

    /// So many bytes came over the network.
    mutating func noteArrival(_ bytes: ByteCount, of id: TransferID) {
        meters.arrived(bytes)
        note(.arrived(bytes), of: id)
    }
}

extension TransferState {
    /// What the ledger stores of it. Changes nothing: see `summarize`.
    fileprivate mutating func ledgerEntry(_ key: LedgerKey, rank: Int, at now: Moment) -> LedgerEntry {
        LedgerEntry(
            key: key, rank: rank, spec: spec, standing: standing, name: name, resume: resume, size: size,
            attempts: attemptsMade, received: record.received, addedAt: record.addedAt ?? UnixTime(milliseconds: 0),
            startedAt: record.startedAt, settledAt: record.settledAt, worked: timeWorked(at: now), warning: warning)
    }
}
