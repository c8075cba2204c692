package import WinchModel
import WinchProgress

extension TransferQueue {
    /// Carries out a command of the user. One that makes no sense in a transfer's phase does nothing.
    mutating func execute(_ command: Command, at now: Moment) -> [QueueAction] {
        if command.changesRates { meters.expectChange() }
        switch command {
        case .pause(let ids): return ids.flatMap { pause($0, at: now) }
        case .resume(let ids):
            let isAnyPaused = ids.contains { self[$0]?.phase == .paused }
            for id in ids { resume(id, at: now) }
            // Nothing is paused any more: nor is what is added later.
            if isAnyPaused, !state.isReading, files[.paused] == 0, sums.listings[.paused] == 0 {
                changeSettings { $0.isHeld = false }
            }
        case .pauseAll:
            changeSettings { $0.isHeld = true }
            return order.flatMap { pause($0, at: now) }
        case .resumeAll:
            changeSettings { $0.isHeld = false }
            for id in order { resume(id, at: now) }
        case .cancel(let ids): return cancel(ids, at: now)
        case .retry(let ids): for id in ids { retry(id, at: now) }
        case .retryFailed:
            for id in order {
                if case .failed? = self[id]?.phase { retry(id, at: now) }
            }
        case .setURL(let id, let url): return setURL(url, of: id, at: now)
        case .remove(let ids): return remove(ids, at: now)
        case .restore: restore(at: now)
        case .setSlots(let slots): changeSettings { $0.slots = Self.slots(slots) }
        case .setMode(let mode): return setMode(mode, at: now)
        case .move(let id, let places): move(id, by: places)
        case .shift(let ids, let shift): self.shift(ids, shift)
        case .setRateLimit(let limit):
            changeSettings { $0.rateLimit = Self.limit(limit) }
            return shareLimit(at: now)
        case .setUploadLimit(let limit):
            changeSettings { $0.uploadLimit = Self.limit(limit) }
            return shareLimit(at: now)
        case .watch(let id, let watcher): return watch(id, by: watcher)
        case .setRateLimitEach(let ids, let limit): return setRateLimit(limit, ofEach: ids, at: now)
        case .changeConnections(let ids, let step): changeConnections(of: ids, by: step, at: now)
        case .trust(let key, let isRemembered):
            answers.trust(key, at: now)
            retry(at: now) { failure, _ in
                if case .hostKeyUnknown(let other) = failure { other.isSame(as: key) } else { false }
            }
            return [.trust(key, remembering: isRemembered)]
        case .unlock(let file, let passphrase):
            answers.unlock(keyFile: file, at: now)
            retry(at: now) { failure, _ in if case .keyLocked(file, _) = failure { true } else { false } }
            return [.unlock(keyFile: file, passphrase)]
        case .logIn(let origin, let user, let password):
            answers.logIn(at: origin, at: now)
            var refused: Set<String?> = []
            retry(at: now) { failure, transfer in
                guard failure.loginOrigin == origin else { return false }
                if case .loginRefused(_, let user, _) = failure, user != nil || transfer.hasNamelessLogin {
                    refused.insert(user)
                }
                return true
            }
            return [.logIn(origin: origin, user: user, password, instead: refused)]
        case .shareHosts(let shares): return share(shares, at: now)
        case .list(let ids): return ids.flatMap { list($0, at: now) }
        case .resumed: restartMeters(at: now)
        case .quit:
            state.isEnding = true
            return removeParts(at: now) + [.shutDown]
        }
        return []
    }

    static func slots(_ wanted: Int) -> Int { min(max(1, wanted), Command.mostSlots) }

    /// A limit of nothing is none: a transfer that may not move would wait for ever.
    static func limit(_ wanted: ByteRate?) -> ByteRate? { wanted.flatMap { $0 > .zero ? $0 : nil } }

    private mutating func pause(_ id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id], !transfer.isFailing else { return [] }
        switch transfer.phase {
        case .waiting, .backoff:
            change(id, at: now, .paused) { $0.pause(at: now) }
            return []
        case .active:
            change(id, at: now, nil) { transfer in
                transfer.connections.close(.keeping, isPause: true)
                transfer.pause(at: now)
            }
            return transfer.closings(discarding: false)
        case .verifying where transfer.awaitsEntries:
            change(id, at: now, .paused) { transfer in
                transfer.connections.removeAll()
                transfer.pause(at: now)
            }
            return []
        case .verifying, .paused, .finished, .failed, .cancelled: return []
        }
    }

    private mutating func resume(_ id: TransferID, at now: Moment) {
        guard let transfer = self[id], transfer.phase == .paused else { return }
        if transfer.closing?.closing?.isPause ?? false {
            change(id, at: now, .paused) { $0.connections.changeClosing { $0.isPause = false } }
        }
        change(id, at: now, .resumed) { transfer in
            transfer.phase = .waiting
            transfer.forgetTries()
        }
    }

    /// A failed transfer goes on with what it has, and so does a cancelled one while its part is kept; else it begins at
    /// nothing. A waiting retry starts at once. An upload stays as it is, with words, while another one replaces the same
    /// file.
    mutating func retry(_ id: TransferID, at now: Moment) {
        guard let transfer = self[id] else { return }
        leaving.remove(id)
        switch transfer.phase {
        case .failed, .cancelled:
            if let words = clash(of: transfer.spec, as: id) {
                feed.refused.append(words)
                guard transfer.phase == .cancelled else {
                    return change(id, at: now, .failed(.other(words))) { $0.phase = .failed(.other(words)) }
                }
                let warning = TransferWarning.notSentAgain(reason: words)
                return change(id, at: now, .warned(warning)) { $0.warning = warning }
            }
            let estimate = sums.estimate
            change(id, at: now, .resumed, cause: .retried) { transfer in
                transfer.have = transfer.resume?.have ?? .zero
                if let size = transfer.size.known {
                    // Asked again from the start, the server may name another size.
                    transfer.size = .probed(max(size, transfer.have))
                } else {
                    transfer.size = .unknown(estimate: max(estimate, transfer.have))
                }
                if case .notSentAgain? = transfer.warning { transfer.warning = nil }
                transfer.phase = .waiting
                transfer.history.resetForRetry()
            }
        case .backoff: change(id, at: now, nil) { $0.phase = .waiting }
        case .waiting where transfer.isFailing: change(id, at: now, nil) { $0.retryWhenClosed() }
        case .waiting, .active, .verifying, .paused, .finished: break
        }
    }

    /// Starts again what failed for a reason that holds no more.
    private mutating func retry(at now: Moment, where isResolved: (TransferFailure, TransferState) -> Bool) {
        for id in order {
            guard let transfer = self[id], case .failed(let failure) = transfer.phase else { continue }
            if isResolved(failure, transfer) { retry(id, at: now) }
        }
    }

    private mutating func setMode(_ mode: ProgressMode, at now: Moment) -> [QueueAction] {
        guard mode != settings.mode else { return [] }
        let before = Direction.allCases.map { fraction(of: $0) }
        let whole = sums.fraction(in: settings.mode)
        changeSettings { $0.mode = mode }
        if mode == .accurate { probes.restartCount() }
        var fallen: [Direction] = []
        for (direction, before) in zip(Direction.allCases, before) where fraction(of: direction).value < before.value {
            fallen.append(direction)
            feed.append(FeedEvent(id: nil, direction: direction, at: now, kind: .rebase(.modeChanged)))
        }
        feed.noteModeChange(of: fallen, isWhole: sums.fraction(in: mode).value < whole.value, at: now)
        return mode == .simple ? stopSizing(at: now) : []
    }

    /// The process or the machine slept: no transfer used that time.
    mutating func noticeGap(at now: Moment) {
        guard let gap = state.noteEvent(at: now, isActive: !active.isEmpty) else { return }
        for id in order where rows[id.number - 1].history.clockStarted != nil {
            update(id) { $0.history.timeSpent -= gap }
        }
        restartMeters(at: now)
        if gap > Self.shortestSleep { watchConnections(at: now) }
    }
}

extension Command {
    /// What runs moves at another rate from then on, or something else runs.
    fileprivate var changesRates: Bool {
        switch self {
        case .pause, .resume, .pauseAll, .resumeAll, .cancel, .setSlots, .setRateLimit, .setUploadLimit,
            .setRateLimitEach, .changeConnections, .shareHosts:
            true
        case .retry, .retryFailed, .list, .setURL, .remove, .restore, .setMode, .move, .shift, .watch, .trust, .unlock,
            .logIn, .resumed, .quit:
            false
        }
    }
}

extension TransferState {
    mutating func pause(at now: Moment) {
        phase = .paused
        stopClock(at: now)
    }
}

/// The order of starting, as the user changes it.
extension TransferQueue {
    mutating func move(_ id: TransferID, by places: Int) {
        guard let moved = schedule.move(id, by: places, removed: undo.removed) else { return }
        feed.noteOrder()
        noteRanks(of: moved)
    }

    mutating func shift(_ ids: [TransferID], _ shift: QueueShift) {
        let chosen = Set(ids.filter { index(of: $0) != nil })
        guard !chosen.isEmpty, let moved = schedule.shift(chosen, shift, removed: undo.removed) else { return }
        feed.noteOrder()
        noteRanks(of: moved)
    }

    mutating func noteRanks(of ids: [TransferID]) {
        for id in ids {
            ledger?.noteRank(id)
            guard let index = index(of: id), rows[index].isReady else { continue }
            schedule.enqueue(id, isListing: rows[index].isListing)
            if rows[index].wantsSizing { probes.enqueue(schedule.place(of: id)) }
            // It may have been the one let out of its host's parking, and be behind others there now.
            unpark(rows[index].hostAndPort)
        }
    }
}

extension TransferQueue {
    /// Gives a transfer another address in place of the one in use; its other mirrors stay.
    ///
    /// A connection is closed first. What is kept stays: the transport goes on with it if the file at the new address
    /// proves to be the same one.
    mutating func setURL(_ url: TransferURL, of id: TransferID, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id], transfer.spec.direction == .down else { return [] }
        switch transfer.phase {
        case .paused: move(id, to: url, at: now)
        case .failed:
            move(id, to: url, at: now)
            retry(id, at: now)
        case .waiting, .backoff, .active:
            // Out of the line and in again: it stood there for the old address's host.
            change(id, at: now, nil) { transfer in
                if transfer.isFailing { transfer.retryWhenClosed() }
                transfer.connections.close(.keeping)
                transfer.phase = .paused
            }
            move(id, to: url, at: now)
            change(id, at: now, nil) { $0.phase = .waiting }
            return transfer.closings(discarding: false)
        case .verifying, .finished, .cancelled: break
        }
        return []
    }

    private mutating func move(_ id: TransferID, to url: TransferURL, at now: Moment) {
        change(id, at: now, .redirected(url: url.redacted)) { $0.replaceURL(with: url) }
        noteWanted(id)
    }
}

extension TransferQueue {
    /// What runs is told at once; what waits, or has ended and is retried, starts with it.
    mutating func setRateLimit(
        _ limit: ByteRate?, ofEach ids: [TransferID], at now: Moment
    ) -> [QueueAction] {
        let limit = Self.limit(limit)
        for id in ids where index(of: id).map({ rows[$0].settings.rateLimit != limit }) ?? false {
            changeOwnSettings(of: id) { $0.rateLimit = limit }
        }
        return shareLimit(at: now)
    }

    private mutating func changeOwnSettings(of id: TransferID, _ body: (inout TransferSettings) -> Void) {
        guard let index = index(of: id) else { return }
        var settings = rows[index].settings
        body(&settings)
        update(id) { $0.spec.settings = Shared(settings) }
        shareParts(ofRowAt: index)
        feed.noteChange(of: id)
        ledger?.noteNow(id)
        feed.noteTotals()
    }

    /// A file that is being fetched gets so many more or fewer at once, others when they start.
    mutating func changeConnections(of ids: [TransferID], by step: Int, at now: Moment) {
        for id in ids {
            guard let index = index(of: id), rows[index].spec.direction == .down, rows[index].settledClass != .ok else {
                continue
            }
            let ceiling = rows[index].settings.split.connections
            let isOpen = rows[index].splitting?.isOpen == true
            let present = isOpen ? rows[index].connections.lanes : ceiling
            let wanted = min(max(1, present + min(max(step, -SplitLimit.most), SplitLimit.most)), SplitLimit.most)
            if isOpen { _ = split(id) { $0.demand(wanted, at: now) } }
            let most = step < 0 ? min(ceiling, wanted) : max(ceiling, wanted)
            guard most != ceiling else { continue }
            changeOwnSettings(of: id) { $0.split = .atMost(most) }
        }
    }
}

/// Shares one limit among the transfers that run: no transfer gets more than the limit allows, and what a slow one leaves over
/// goes to the others.
package enum RateLimitShares {
    /// A transfer counts as slow, and keeps only its rate and this much more, while it does not use its share.
    private static let headroom = 1.25

    /// Shares in the order of `rates`; their sum is at most `limit`.
    ///
    /// - Parameter rates: what each moves now; `nil`: not known yet, gets an equal share.
    package static func shares(of limit: ByteRate, among rates: [ByteRate?]) -> [ByteRate] {
        guard !rates.isEmpty else { return [] }
        var shares = [Double](repeating: 0, count: rates.count)
        var left = limit.perSecond
        // Slowest first: what it does not need is shared among those that come after.
        let order = rates.indices.sorted { demand(rates[$0]) < demand(rates[$1]) }
        for (place, index) in order.enumerated() {
            let equal = left / Double(order.count - place)
            // The last takes all that is left: nothing of the limit is thrown away.
            shares[index] = place == order.count - 1 ? left : min(equal, max(demand(rates[index]), equal / 4))
            left -= shares[index]
        }
        return shares.map(ByteRate.init(perSecond:))
    }

    private static func demand(_ rate: ByteRate?) -> Double { rate.map { $0.perSecond * headroom } ?? .infinity }
}
