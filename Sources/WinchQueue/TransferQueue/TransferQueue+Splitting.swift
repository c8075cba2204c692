import WinchModel
import WinchProgress

/// One file over several connections.
extension TransferQueue {
    /// The body of the first connection of an attempt begins.
    mutating func beginSplitting(_ connection: Connection, _ opening: Opening, at now: Moment) -> [QueueAction] {
        let id = connection.id.transfer
        guard let index = index(of: id), let total = opening.total?.bytes else { return [] }
        let settings = rows[index].settings
        let least = max(1, settings.minSplitSize.bytes)
        // A piece with a wrong hash becomes a gap.
        let mayGetGaps = opening.part.onDisk.hasGap || rows[index].spec.pieces != nil
        guard mayGetGaps || (total - opening.offset.bytes) / 2 >= least else { return [] }
        let sources = sources(of: rows[index], at: now)
        let allowance = sources.areSeveral || settings.split.isNamed ? nil : hosts.allowance(connection.host)
        update(id) { transfer in
            transfer.splitting =
                transfer.splitting ?? Splitting(isSigned: transfer.url.isSigned, allowance: allowance, at: now)
        }
        _ = split(id) {
            $0.begin(
                connection.id.number, obstacle: opening.obstacle, sources: sources, openedAt: connection.startedAt,
                at: now)
        }
        if !splits.contains(id) { splits.append(id) }
        return rows[index].splitting?.isRefused == true ? [.askNoMore(id)] : []
    }

    /// The server has let a connection in for a part of the file.
    mutating func takeJoin(of connection: Connection, _ chunk: Range<Int64>, at now: Moment) {
        let id = connection.id.transfer
        change(id, at: now, nil) { $0.connections.change(connection.id) { $0.join(chunk) } }
        _ = split(id) {
            $0.sources.served(connection.source)
            $0.noteConnection(isLost: false, isNew: connection.position == 0)
        }
        noteAnswer(to: connection, isServed: true, at: now)
        hosts.noteFurther(self[id]?.connections.answered(at: connection.host) ?? 0, at: connection.host)
        tell(id, .answered(connection.id.number), at: now)
    }

    /// Nothing is left that is worth a request of this connection.
    mutating func takeEnded(_ connection: Connection, at now: Moment) -> [QueueAction] {
        let id = connection.id.transfer
        // One that was given back says nothing of those that are opened later.
        let wasNeeded = connection.isAnswered || connection.position > 0 || connection.isRetiring
        if !wasNeeded { _ = split(id) { $0.noteEnough(at: now) } }
        change(id, at: now, nil) { $0.connections.remove(connection.id) }
        tell(id, .closed(connection.id.number), at: now)
        guard self[id]?.connections.hasOpen(beside: connection.id) != true else { return [] }
        // A source that is not used any more leaves its bytes to another.
        if wasNeeded, let opened = open(id, inPlaceOf: connection, at: now) { return opened }
        // The next attempt looks at what is on disk.
        let failure = TransferFailure.connectionLost("a part of the file is missing")
        return [.close(connection.id, discarding: false)] + fail(id, nil, failure, kept: self[id]?.resume, at: now)
    }

    /// One of several connections has failed: the others go on, unless the cause is on this machine.
    ///
    /// - Parameter requestedWait: the server's wish, from now on.
    mutating func takeFailure(
        of connection: Connection, _ failure: TransferFailure, requestedWait: Duration?, kept: ResumePoint?,
        at now: Moment
    ) -> [QueueAction] {
        let id = connection.id.transfer
        if connection.isAnswered { _ = split(id) { $0.noteConnection(isLost: true) } }
        var isFromOther = connection.source != self[id]?.mirror
        if !isFromOther, connection.gotWrongAnswer(failure) {
            let isChance = split(id) { $0.noteWrongAnswer() } ?? false
            if isChance {
                // Others bring what it was to bring, and another may be opened in its place.
                change(id, at: now, nil) { $0.connections.remove(connection.id) }
                tell(id, .closed(connection.id.number), at: now)
                return []
            }
        }
        var actions: [QueueAction] = []
        var isLeft = false
        if !isFromOther, connection.isAboutURL(failure) {
            isLeft = leaveMirror(of: id, at: now)
            isFromOther = isLeft
            if !isLeft {
                let reason = if case .badResponse(let words) = failure { words } else { failure.message }
                _ = split(id) { $0.refuse(.refused(reason: reason), at: now) }
                feed.noteChange(of: id)
                actions = [.askNoMore(id)]
            }
        }
        change(id, at: now, nil) { $0.connections.remove(connection.id) }
        if isLeft {
            let numbers = self[id]?.connections.numbers(from: connection.source) ?? []
            actions = retire(in: id, atOnce: false, at: now) { $0.retire(numbers) }
        }
        if connection.gotWrongAnswer(failure) {
            return actions + takeWrongAnswer(to: connection, failure, isFromOther: isFromOther, kept: kept, at: now)
        }
        let others = countAnswered(beside: connection)
        // A host that has let others in takes fewer connections, and those that it takes need not wait.
        if others == 0 { noteWait(requestedWait, of: connection.host, after: failure, at: now) }
        // Nothing of the file is left for the other connections.
        guard failure.isMirrorsFault, failure != .mixed else {
            return actions + fail(id, nil, failure, kept: kept, at: now)
        }
        _ = split(id) { $0.sources.failed(connection.source) }
        if candidates(for: id).contains(where: { $0.host != connection.host }) {
            // The next connection goes to another host: this one's refusal says nothing of the number of connections.
            tell(id, .closed(connection.id.number), at: now)
        } else {
            tellEnd(of: connection, failure, at: now)
        }
        if let refusal = SplitRefusal(failure, isAnswered: connection.isAnswered),
            let accepted = self[id]?.connections.answered(at: connection.host, except: connection.id)
        {
            let isChance = refusal == .noConnection && !hosts.wasReset(connection.host, beside: accepted)
            if !isChance {
                hosts.refusedFurther(connection.host, id, beside: others, begun: connection.startedAt, at: now)
            }
            if refusal.isOfHost, let requestedWait {
                hosts.noteFurtherWait(requestedWait, of: connection.host, at: now)
            }
            // Without any other connection to it the network may be gone.
            if refusal.isOfHost, accepted > 0 || refusal != .noConnection {
                hosts.noteFileLimit(max(1, accepted), of: connection.host, at: now)
            }
        } else if isFromOther {
            hosts.faults.failed(connection.host, at: now)
        }
        return actions
    }

    /// The mirror in use sends no more parts of the file: another one that does takes its place.
    ///
    /// - Returns: false where there is none.
    private mutating func leaveMirror(of id: TransferID, at now: Moment) -> Bool {
        guard let mirror = self[id]?.mirror, let others = split(id, { $0.leave(mirror) }), !others.isEmpty else {
            return false
        }
        change(id, at: now, nil) { transfer in
            _ = transfer.turnToNextMirror(excluding: Set(transfer.spec.urls.indices).subtracting(others))
        }
        return true
    }

    /// Further connections were answered with something else than the part that was asked for: no other is asked of that
    /// mirror, and where no other sends parts, the connections that run bring all that their requests reach.
    ///
    /// - Parameter isFromOther: its mirror's answer says nothing of the one in use.
    private mutating func takeWrongAnswer(
        to connection: Connection, _ failure: TransferFailure, isFromOther: Bool, kept: ResumePoint?, at now: Moment
    ) -> [QueueAction] {
        let id = connection.id.transfer
        if isFromOther {
            _ = split(id) { $0.sources.exclude(connection.source) }
            tell(id, .closed(connection.id.number), at: now)
        }
        guard self[id]?.splitting?.isReplaced == true, self[id]?.settings.onChange == .restart else { return [] }
        // The next attempt finds the new version; what runs would bring the old one.
        _ = split(id) { $0.endForRefusal(failure.message, at: now) }
        return fail(id, nil, failure, kept: kept, at: now)
    }

    /// A connection has failed, which may say something of the number of connections that the host takes.
    mutating func tellEnd(of connection: Connection, _ failure: TransferFailure, at now: Moment) {
        let number = connection.id.number
        let refusal = SplitRefusal(failure, isAnswered: connection.isAnswered)
        tell(connection.id.transfer, refusal.map { .refused(number, $0) } ?? .lost(number), at: now)
    }
}

/// How many connections each file has.
extension TransferQueue {
    mutating func splitFiles(at now: Moment) -> [QueueAction] {
        guard !splits.isEmpty else { return [] }
        var actions: [QueueAction] = []
        // Further connections end where other machines need their places.
        for host in hosts.shares.areInForce ? splitHosts : [] {
            actions += giveBack(slots.count(at: host) - hosts.shares.granted(at: host), of: host, at: now)
        }
        actions += leaveUnused(at: now)
        actions += makeRoom(at: now)
        for id in splits { actions += openOrRetire(id, at: now) }
        return actions
    }

    /// A file that its own limit holds back, whatever it has, leaves its further connections to hosts that are full to other
    /// transfers that could use their places. More are tried again when it no longer reaches its limit.
    private mutating func leaveUnused(at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        for id in splits {
            guard let index = index(of: id), rows[index].settings.rateLimit != nil,
                rows[index].connections.lanes > 1,
                rows[index].splitting?.controller.circumstances.isRateLimited == true
            else { continue }
            let full = Set(rows[index].connections.openHosts).filter { isPlaceWanted(at: $0, besides: id) }
            let numbers = Set(full.flatMap { rows[index].connections.numbers(at: $0) })
            let retired = retire(in: id, atOnce: false, at: now) { $0.retire(numbers.count, of: numbers) }
            guard !retired.isEmpty, let left = self[id]?.connections.lanes else { continue }
            _ = split(id) { $0.controller.demand(left, at: now) }
            meters.expectChange()
            actions += retired
        }
        return actions
    }

    /// The host is full, and a transfer other than this one waits for a place.
    private func isPlaceWanted(at host: String, besides id: TransferID) -> Bool {
        guard hasNoRoom(host) else { return false }
        if countParked(at: host) > 0 { return true }
        return splits.contains { other in
            other != id && self[other]?.hostAndPort == host && self[other]?.splitting?.controller.wantsPlaces ?? false
        }
    }

    /// The transfer that has the most connections to a full host besides this one, in words.
    private func holder(of host: String, besides id: TransferID) -> String? {
        guard hasNoRoom(host) else { return nil }
        let counts = active.sorted().filter { $0 != id }.map { other in
            (id: other, count: self[other]?.connections.openHosts.count { $0 == host } ?? 0)
        }
        guard let most = counts.max(by: { $0.count < $1.count }), most.count > 1, let name = self[most.id]?.name else {
            return nil
        }
        return "host is full: \(name) has \(most.count) of \(slots.count(at: host)) connections"
    }

    /// A transfer that waits for a place at its host gets that of a further connection of another.
    private mutating func makeRoom(at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        var (files, listings) = (freeSlots(isListing: false), freeSlots(isListing: true))
        guard files > 0 || listings > 0 else { return [] }
        for host in splitHosts {
            let parked = schedule.parked(at: host)
            let waiting = (files: min(files, parked.files), listings: min(listings, parked.listings))
            (files, listings) = (files - waiting.files, listings - waiting.listings)
            actions += giveBack(waiting.files + waiting.listings, of: host, at: now)
        }
        return actions
    }

    private var splitHosts: [String] { Set(splits.flatMap { self[$0]?.connections.openHosts ?? [] }).sorted() }

    /// So many further connections to the host end at once, those of the last files first.
    private mutating func giveBack(_ count: Int, of host: String, at now: Moment) -> [QueueAction] {
        guard count > 0 else { return [] }
        var actions: [QueueAction] = []
        // Places that become free in a moment.
        let retiring = splits.reduce(0) { $0 + (self[$1]?.connections.retiring(at: host) ?? 0) }
        for id in splits.reversed() where count > retiring + actions.count {
            let numbers = self[id]?.connections.numbers(at: host) ?? []
            let missing = count - retiring - actions.count
            actions += retire(in: id, atOnce: true, at: now) { $0.retire(missing, of: numbers) }
        }
        if !actions.isEmpty { meters.expectChange() }
        return actions
    }

    /// Has those connections of a file end that `choose` names.
    mutating func retire(
        in id: TransferID, atOnce: Bool, at now: Moment, _ choose: (inout Connections) -> [ConnectionID]
    ) -> [QueueAction] {
        var retired: [ConnectionID] = []
        change(id, at: now, nil) { retired = choose(&$0.connections) }
        return retired.map { .retire($0, atOnce: atOnce) }
    }

    private mutating func openOrRetire(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard let index = index(of: id), let splitting = rows[index].splitting, splitting.isOpen else { return [] }
        // What runs is needed, and nothing else is answered.
        guard !splitting.isRefused else { return [] }
        let circumstances = circumstances(of: rows[index], at: now)
        log(split(id) { $0.controller.change(circumstances, at: now) } ?? [], of: id, at: now)
        let (wanted, lanes) = (self[id]?.splitting?.controller.wanted ?? 1, rows[index].connections.lanes)
        if lanes > wanted { return retire(in: id, atOnce: false, at: now) { $0.retire(lanes - wanted) } }
        guard !splitting.isEnough(at: now) else { return [] }
        var actions: [QueueAction] = []
        for _ in 0..<max(0, min(wanted, circumstances.slots - rows[index].connections.retiring()) - lanes) {
            guard let opened = open(id, at: now) else { break }
            actions += opened
        }
        return actions
    }

    private func circumstances(of row: TransferState, at now: Moment) -> SplitCircumstances {
        var spare: [String: Int] = [:]
        for candidate in candidates(for: row) { spare[candidate.host] = candidate.places }
        var circumstances = SplitCircumstances(
            left: row.size.known.map { $0 - row.have }, slots: max(1, row.counts.open + spare.values.reduce(0, +)),
            ceiling: row.settings.split.connections)
        circumstances.isCeilingGiven = row.settings.split.isNamed
        if row.splitting?.obstacle != nil { circumstances.ceiling = 1 }
        if let limit = row.appliedLimit {
            // Until a rate is known, the limit is what holds it back.
            circumstances.isRateLimited =
                row.estimator?.mean.map { $0.perSecond > Self.limitedShare * limit.perSecond } ?? true
        }
        if spare.isEmpty, row.splitting?.controller.lacksPlaces ?? false {
            circumstances.fullHost = holder(of: row.hostAndPort, besides: row.id)
        }
        circumstances.isHostBusy = splits.contains { other in
            other != row.id && self[other]?.hostAndPort == row.hostAndPort
                && self[other]?.splitting?.controller.isTrying ?? false
        }
        return circumstances
    }

    /// A transfer that moves at this part of its limit is slow because of it.
    private static let limitedShare = 0.8

    /// Opens a further connection.
    ///
    /// - Parameter last: has just ended, and leaves its place.
    /// - Returns: `nil`: no source has a place for it.
    private mutating func open(
        _ id: TransferID, inPlaceOf last: Connection? = nil, at now: Moment
    ) -> [QueueAction]? {
        guard let index = index(of: id) else { return nil }
        let left = rows[index].splitting?.sources.usable.first { $0.source == last?.source }
        guard let (source, host) = source(for: rows[index]) ?? left else { return nil }
        // Until the limit is shared anew, the new connection gets an equal part of it.
        let parts = Double(rows[index].counts.open + 1)
        let limit = Self.lowerLimit(startingLimit, rows[index].settings.rateLimit).map {
            ByteRate(perSecond: $0.perSecond / parts)
        }
        change(id, at: now, nil) { $0.addConnection(source: source, host: host, limit: limit, at: now) }
        guard let last = self[id]?.lastConnection else { return nil }
        tell(id, .opened(last.number), at: now)
        return self[id]?.connections[last].flatMap { self[id]?.request($0) }.map { [.open($0)] }
    }

    /// Connections of the file are counted by what they bring.
    func isSplit(_ id: TransferID) -> Bool { index(of: id).map { rows[$0].splitting?.isOpen == true } ?? false }

    /// When `splitFiles` is due; `nil`: not before something happens.
    func nextSplit(after now: Moment) -> Moment? {
        splits.compactMap { id in
            guard let controller = self[id]?.splitting?.controller, controller.isTrying else { return nil }
            return controller.wakesAt(after: now)
        }.min()
    }

    /// Tells the controller of a file's connections, and logs what it concludes.
    mutating func tell(_ id: TransferID, _ event: SplitEvent, at now: Moment) {
        log(split(id) { $0.controller.apply(event, at: now) } ?? [], of: id, at: now)
    }

    /// Bytes have come over a connection: of its own file, and of another from the same host.
    ///
    /// - Parameter new: how many of them were not on disk.
    mutating func noteSplitMove(of connection: Connection, _ bytes: Range<Int64>, new: ByteCount, at now: Moment) {
        guard !splits.isEmpty else { return }
        let id = connection.id.transfer
        let count = ByteCount(bytes: Int64(bytes.count))
        tell(id, .moved(connection.id.number, new), at: now)
        for other in splits where other != id && self[other]?.hostAndPort == connection.host {
            tell(other, .moved(nil, count), at: now)
        }
    }

    private mutating func log(_ decisions: [SplitDecision], of id: TransferID, at now: Moment) {
        for decision in decisions {
            let open = self[id]?.openConnections(at: now) ?? []
            change(id, at: now, .connections(decision.level, reason: decision.text, open: open)) { _ in }
        }
    }
}
