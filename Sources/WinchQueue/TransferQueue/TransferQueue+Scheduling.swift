import WinchModel
import WinchProgress

extension TransferQueue {
    /// Files being finished at a time, beyond the slots: each holds an open file.
    static let finishingAtOnce = 256

    /// An upload that would replace the file of another one joins as failed.
    ///
    /// - Parameter areFound: a listing has named them, with their sizes where it names any: the server is not asked for these.
    /// - Returns: parts to remove that earlier runs cancelled and left behind.
    @discardableResult mutating func add(
        _ additions: [Addition], areFound: Bool = false, at now: Moment
    ) -> [QueueAction] {
        // An entry without an address comes from a faulty front end.
        let given = additions.count
        let additions = additions.filter { !$0.spec.urls.isEmpty }
        for _ in additions.count..<given { ignore() }
        guard !additions.isEmpty else { return [] }
        let before = Direction.allCases.map { sums.snapshot($0, in: settings.mode) }
        let wasIdle = probes.unprobed == 0
        var leftParts: [QueueAction] = []
        var events: [FeedEvent] = []
        events.reserveCapacity(additions.count)
        var urls = additions.map(\.spec.urls)
        MirrorList.pack(&urls)
        for (entry, urls) in zip(additions, urls) {
            var addition = entry
            if addition.refusal == nil, addition.past?.standing.isOpen ?? true, let words = clash(of: addition.spec) {
                addition.refusal = .other(words)
                feed.refused.append(words)
            }
            let direction = addition.spec.direction
            let before = sums[direction]
            let index = insert(addition, urls, isFound: areFound).number - 1
            // The run that cancelled it ended before its part was removed.
            if rows[index].phase == .cancelled, let part = addition.resume?.plausible {
                leftParts.append(rows[index].discarding(part))
                ledger?.noteNow(rows[index].id)
            }
            events.append(
                FeedEvent(
                    id: rows[index].id, direction: direction, at: now,
                    kind: addition.arrival(url: addition.spec.urls[0].redacted, name: rows[index].name),
                    completed: sums[direction].completed - before.completed,
                    total: sums[direction].total - before.total,
                    have: rows[index].have, size: rows[index].size.known))
            if let followUpEvent = addition.followUpEvent {
                events.append(
                    FeedEvent(
                        id: rows[index].id, direction: direction, at: now, kind: followUpEvent, have: rows[index].have,
                        size: rows[index].size.known))
            }
        }
        emit(events, since: before, at: now)
        feed.noteAppended(additions.count)
        state.begin()
        probes.beginGrace(at: now, wasIdle: wasIdle)
        return leftParts
    }

    /// Tells of transfers that came in one step. Where a bar falls, one rebase for all of them carries the change in the
    /// sums.
    mutating func emit(_ events: [FeedEvent], since before: [SumsSnapshot], at now: Moment) {
        var events = events
        for (direction, before) in zip(Direction.allCases, before) {
            sums.moveBar(direction, cause: .added(1))
            let step = before.step(to: sums.snapshot(direction, in: settings.mode))
            guard step.isBackwards else { continue }
            let cause = Rebase.Cause.added(events.count { $0.direction == direction })
            feed.noteRebase(step, cause, of: direction, at: now)
            feed.append(
                FeedEvent(
                    id: nil, direction: direction, at: now, kind: .rebase(cause), completed: step.completed,
                    total: step.total))
            for index in events.indices where events[index].direction == direction {
                (events[index].completed, events[index].total) = (0, 0)
            }
        }
        for event in events { feed.append(event) }
    }

    /// - Parameters:
    ///   - urls: those of the addition, packed.
    ///   - isFound: as in `add`.
    private mutating func insert(_ addition: Addition, _ urls: MirrorList, isFound: Bool) -> TransferID {
        let id = TransferID(rows.count + 1)
        schedule.append(id, preferredRank: addition.past?.rank)
        var transfer = TransferState(
            id: id, spec: addition.spec, resume: addition.resume?.plausible, estimate: sums.estimate,
            isPaused: addition.isPaused(whenHeld: settings.isHeld))
        transfer.spec.urls = urls
        if let past = addition.past { transfer.restore(past) }
        transfer.record.wasFinished = addition.wasFinished
        if let refusal = addition.refusal { transfer.phase = .failed(refusal) }
        if transfer.wantsSizing,
            isFound || addition.spec.isOfTree || probes.links[transfer.hostAndPort] == .singleUse
        {
            transfer.sizing = .skipped
        }
        join(transfer)
        noteAdded(id, at: rows.count - 1, addition)
        if transfer.isListing { noteTree(of: id) }
        if transfer.phase == .waiting { schedule.enqueue(id, isListing: transfer.isListing) }
        if transfer.wantsSizing { probes.enqueue(schedule.place(of: id)) }
        return id
    }

    /// Starts waiting transfers while there are slots, in order, passing over those whose host has no place or whose disk no
    /// space. One whose connection is still closing keeps its slot, and starts when that has closed.
    mutating func fillSlots(at now: Moment) -> [QueueAction] {
        var (actions, questions): ([QueueAction], [QueueAction]) = ([], [])
        while files[.verifying] < Self.finishingAtOnce, let id = nextWaiting() {
            if keepSlot(for: id, at: now) { continue }
            if turnToServingMirror(id, at: now) || endIfTreeIsFull(id, at: now) { continue }
            if deferForSpace(id, at: now) { continue }
            let (share, uploadShare) = (startingLimit, startingUploadLimit)
            let index = id.number - 1
            let guess = sums[rows[index].spec.direction].guess
            let attempt = ask(index) { $0.attemptsMade } + 1
            change(id, at: now, .started(attempt: attempt)) { transfer in
                // From here on it has a guess of its own, which no other's size changes.
                if transfer.isUnstarted { transfer.size = .unknown(estimate: ByteCount(bytes: guess)) }
                transfer.history.verified = nil
                transfer.history.tries += 1
                transfer.history.haveAtStart = transfer.have
                transfer.startClock(at: now)
                transfer.beginAttempt(
                    limit: Self.lowerLimit(
                        transfer.spec.direction == .up ? Self.lowerLimit(share, uploadShare) : share,
                        transfer.settings.rateLimit), at: now)
            }
            tell(id, .opened(ask(index) { $0.lastConnection.number }), at: now)
            noteStart(of: id, at: now)
            questions += noteDisk(of: id, at: now)
            actions += ask(index) { transfer in transfer.connections.open.map { .open(transfer.request($0)) } }
        }
        let isShared = !actions.isEmpty && (settings.rateLimit != nil || settings.uploadLimit != nil)
        // The others give way at once: files that end between two ticks would each be followed by one that adds its part.
        return actions + questions + (isShared ? shareLimit(at: now) : [])
    }

    /// - Returns: whether a connection of the transfer is still closing.
    private mutating func keepSlot(for id: TransferID, at now: Moment) -> Bool {
        guard ask(id.number - 1, { $0.connections.areClosing }) else { return false }
        change(id, at: now, nil) { $0.connections.turn = .kept }
        let last = ask(id.number - 1) { $0.lastConnection }
        schedule.keptSlots.insert(Alarm(at: now + KeptSlots.longest, connection: last))
        return true
    }

    /// Files first: what listings need of the slots and of a host's places is not theirs.
    private mutating func nextWaiting() -> TransferID? {
        if freeSlots(isListing: false) > 0, let file = next(isListing: false) { return file }
        return freeSlots(isListing: true) > 0 ? next(isListing: true) : nil
    }

    /// How many files, or listings, could start now at most if their hosts had places.
    ///
    /// A share of the listings takes no slot: they need not wait for the end of a file. More of them run only in slots that files
    /// leave free.
    func freeSlots(isListing: Bool) -> Int {
        let kept = slots.kept
        let free = settings.slots - active.count - kept.files - kept.listings
        let listings = sums.listings[.active] + kept.listings
        let share = OpenListings.share(of: settings.slots)
        guard isListing else { return max(0, free + min(listings, share)) }
        let waiting = sums.listings[.waiting] + sums.listings[.backoff] - kept.listings
        return max(0, min(waiting, max(free, share - listings)))
    }

    private mutating func next(isListing: Bool) -> TransferID? {
        let (rows, slots, hosts) = (rows, slots, hosts)
        return schedule.next(
            isListing: isListing,
            isReady: { rows[$0.number - 1].isReady(isListing: isListing) },
            busyHost: { id in
                let host = rows[id.number - 1].hostAndPort
                let places = isListing ? hosts.places(at: host) : hosts.placesForFiles(at: host)
                return slots.taken(at: host) >= places ? host : nil
            })
    }

    /// Until rates are known, each gets an equal part of the overall limit.
    var startingLimit: ByteRate? {
        guard let limit = settings.rateLimit else { return nil }
        let running = min(files[.active] + files[.waiting], settings.slots)
        return ByteRate(perSecond: limit.perSecond / Double(max(1, running)))
    }

    /// The same of the limit of the uploads.
    private var startingUploadLimit: ByteRate? {
        settings.uploadLimit.map { limit in
            let running = active.count { rows[$0.number - 1].spec.direction == .up }
            return ByteRate(perSecond: limit.perSecond / Double(running + 1))
        }
    }

    static func lowerLimit(_ one: ByteRate?, _ other: ByteRate?) -> ByteRate? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Retries that are due, time limits, rates, slots and parts that were kept for long enough.
    mutating func tick(at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        for retry in schedule.retries.takeDue(at: now) where Self.isCurrent(retry, in: rows) {
            change(retry.id, at: now, nil) { $0.phase = .waiting }
        }
        for kept in schedule.keptSlots.takeDue(at: now) where Self.keepsSlot(kept, in: rows) {
            change(kept.id, at: now, nil) { $0.connections.turn = .lapsed }
        }
        for id in active.sorted() {
            guard let index = index(of: id), rows[index].holdsSlot else { continue }
            if let limit = rows[index].settings.maxTime, rows[index].timeUsed(at: now) >= limit {
                actions += fail(id, nil, .timeLimit(seconds: limit.seconds), kept: rows[index].resume, at: now)
            } else if rows[index].isMoving {
                // Rates and forecasts follow the clock, also when no byte comes.
                feed.noteChange(of: id)
                feed.noteTotals()
            }
        }
        if !active.isEmpty { measure(at: now) }
        return actions + removeParts(at: now) + renewConnections(at: now) + shareLimit(at: now)
    }

    /// No tick is needed for a retry that was paused, cancelled or begun otherwise, for a slot whose transfer has closed its
    /// connections, nor for a cancel that was undone.
    mutating func dropStaleAlarms() {
        let rows = rows
        schedule.retries.dropStale { Self.isCurrent($0, in: rows) }
        schedule.keptSlots.dropStale { Self.keepsSlot($0, in: rows) }
        undo.parts.dropStale { Self.isCancelled($0.connection, in: rows) }
        undo.recount { Self.isCancelled($0.connection, in: rows) }
    }

    private static func isCurrent(_ retry: Alarm, in rows: TransferRows) -> Bool {
        guard case .backoff(retry.at, _) = rows[retry.id.number - 1].phase else { return false }
        return rows[retry.id.number - 1].lastConnection == retry.connection
    }

    private static func keepsSlot(_ alarm: Alarm, in rows: TransferRows) -> Bool {
        let row = rows[alarm.id.number - 1]
        return row.keepsSlot && row.lastConnection == alarm.connection
    }

    /// Gives each running transfer its part of the overall limit anew.
    mutating func shareLimit(at now: Moment) -> [QueueAction] {
        let running = active.sorted()
        let shares = parts(of: settings.rateLimit, for: running)
        let uploads = running.filter { rows[$0.number - 1].spec.direction == .up }
        let uploadShares = parts(of: settings.uploadLimit, for: uploads)
        var actions: [QueueAction] = []
        for id in running {
            guard let transfer = self[id] else { continue }
            let whole = Self.lowerLimit(Self.lowerLimit(shares[id], uploadShares[id]), transfer.settings.rateLimit)
            let limit = whole.map { ByteRate(perSecond: $0.perSecond / Double(max(1, transfer.counts.open))) }
            for connection in transfer.connections.open where Self.differ(limit, connection.limit) {
                update(id) { $0.connections.change(connection.id) { $0.limit(to: limit, at: now) } }
                feed.noteChange(of: id)
                actions.append(.limit(connection.id, limit))
            }
        }
        return actions
    }

    private func parts(of limit: ByteRate?, for running: [TransferID]) -> [TransferID: ByteRate] {
        guard let limit else { return [:] }
        // A listing has no rate, and needs little.
        let rates = running.map { id in
            rows[id.number - 1].isListing ? ByteRate.zero : rows[id.number - 1].estimator?.mean
        }
        return Dictionary(uniqueKeysWithValues: zip(running, RateLimitShares.shares(of: limit, among: rates)))
    }

    /// A change of less than 2% is not worth a call.
    private static func differ(_ one: ByteRate?, _ other: ByteRate?) -> Bool {
        guard let one, let other else { return one != other }
        return abs(one.perSecond - other.perSecond) > 0.02 * other.perSecond
    }
}
