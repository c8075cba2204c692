import WinchModel

/// After a failed attempt.
extension TransferQueue {
    private enum NextStep {
        case wait(Duration)
        case space
        case giveUp(TransferFailure)
    }

    /// Tries again, elsewhere or later, waits for space, or settles as failed.
    ///
    /// - Parameters:
    ///   - connection: the one that failed, and is no more; `nil`: the attempt is given up, and its connections are closed.
    ///   - heard: when the server said so; its wish for patience counts from there.
    mutating func fail(
        _ id: TransferID, _ connection: Connection?, _ failure: TransferFailure, retryAfter: Duration? = nil,
        kept: ResumePoint?,
        heard: Moment? = nil, at now: Moment
    ) -> [QueueAction] {
        if let connection { tellEnd(of: connection, failure, at: now) }
        guard var next = self[id] else { return [] }
        let closings = connection == nil ? next.closings(discarding: false) : []
        let requestedWait = retryAfter.map { (heard ?? now) - now + $0 }
        // Before the attempt's own refusal is noted.
        var areOthersServed = false
        if let connection { areOthersServed = self.areOthersServed(beside: next, connection) }
        let (step, treatment) = nextStep(
            of: &next, connection, areOthersServed: areOthersServed, after: failure, requestedWait: requestedWait,
            kept: kept, at: now)
        if let connection { next.connections.remove(connection.id) } else { next.connections.close(.keeping) }
        next.resume = kept
        let kind: FeedEvent.Kind?
        switch step {
        case .wait(let wait):
            next.phase = wait > .zero ? .backoff(until: now + wait, failure: failure) : .waiting
            if wait > .zero { schedule.retries.insert(Alarm(at: now + wait, connection: next.lastConnection)) }
            kind = .retrying(in: wait, failure: failure)
        case .space:
            next.phase = .waiting
            next.awaitsSpace = true
            next.history.disk = disks.foundFull(id, in: next.spec.folder, disk: next.history.disk, at: now)
            next.stopClock(at: now)
            kind = .awaitingSpace(folder: next.spec.folder)
        case .giveUp(let last):
            let reason = last.isMirrorsFault && !last.asksUser ? next.history.wrongChecksum ?? last : last
            // The details keep why this attempt itself failed.
            if reason != last {
                detailsStore.note(
                    id, .retrying(in: .zero, failure: last), host: next.hostAndPort, have: next.have, at: now)
            }
            next.fail(reason, at: now)
            kind = next.isSettled ? .failed(reason) : nil
        }
        // What goes on as the server wants it has not failed.
        let isFailure = if case .nextRange = treatment { false } else { !next.awaitsSpace }
        next.history.lastFailure = isFailure ? failure : nil
        // A file with a wrong hash is there, whole, to be looked at; only another attempt begins at nothing.
        let isWrongFile = if case .checksum = failure { next.keepsWrongFile } else { false }
        // The next attempt may well meet another file.
        if !isWrongFile, case .exact(let size) = next.size { next.size = .declared(size) }
        if !isWrongFile, !next.isFailing { next.setHave(kept?.have ?? .zero) }
        next.history.largestHave = max(next.history.largestHave, next.have)
        if let connection {
            noteFault(
                of: connection, failure, treatment, areOthersServed: areOthersServed, requestedWait: requestedWait,
                at: now)
            let isFinal =
                switch (step, treatment) {
                case (.giveUp, _), (_, .never): true
                case (.wait, _), (.space, _): false
                }
            if isFinal, connection.isOpen, failure.isOtherAnswer, rows[id.number - 1].sizing == .answered,
                case .probed = rows[id.number - 1].size
            {
                noteDeadLink(at: connection.host, at: now)
            }
        }
        change(id, at: now, kind, cause: .lostOnRetry) { $0 = next }
        guard case .giveUp = step else { return closings }
        return closings + next.endings + (settings.failsFast ? stopAll(at: now) : [])
    }

    /// A transfer is given up whatever it does: its connections are closed, its part is kept.
    mutating func giveUp(_ id: TransferID, _ failure: TransferFailure, at now: Moment) -> [QueueAction] {
        guard let transfer = self[id] else { return [] }
        // The connection of a listing that has ended has nothing to close.
        let isEnded = transfer.connections.isEmpty || transfer.awaitsEntries
        change(id, at: now, isEnded ? .failed(failure) : nil) { next in
            if next.awaitsEntries { next.connections.removeAll() }
            next.connections.close(.keeping)
            next.fail(failure, at: now)
        }
        return (isEnded ? [] : transfer.closings(discarding: false)) + (self[id]?.endings ?? [])
    }

    /// `--fail-fast`: everything is given up, but for files that are being finished.
    mutating func stopAll(at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        for id in order {
            guard let transfer = self[id], !transfer.isSettled, !transfer.isVerifying || transfer.awaitsEntries else {
                continue
            }
            actions += giveUp(id, .stoppedByFailFast, at: now)
        }
        return actions
    }

    /// Remembers of the host what may be of use to others.
    private mutating func noteFault(
        of connection: Connection, _ failure: TransferFailure, _ treatment: RetryPolicy.Treatment,
        areOthersServed: Bool, requestedWait: Duration?, at now: Moment
    ) {
        let (id, host) = (connection.id.transfer, connection.host)
        guard connection.isOpen, index(of: id) != nil else { return }
        let isOneOfSeveral = hosts[host].map { $0.hasRefusedInRow && $0.lastRefused != id } ?? false
        if TooManyConnections.isSign(failure) {
            let isRefusedAlone = failure == .httpStatus(503) && countOpen(besideOneAt: host) == 0
            if TooManyConnections.isOfURL(failure, areOthersServed: areOthersServed) {
                noteURLsFault(of: id)
            } else {
                if isRefusedAlone, treatment != .hostBusy { noteURLsFault(of: id) }
                if isRefusedAlone || treatment == .hostBusy || TooManyConnections.isSignOfClientLimit(failure) {
                    noteRefusal(of: connection, at: now)
                }
            }
            hosts.noteRefused(host, id)
        } else if failure.httpStatus != nil {
            noteAnswer(to: connection, isServed: false, at: now)
        }
        noteWait(requestedWait, of: host, after: failure, isOneOfSeveral: isOneOfSeveral, at: now)
        switch treatment {
        case .again where failure.isMirrorsFault, .never where failure.isMirrorsFault:
            hosts.faults.failed(host, at: now)
        case .again, .never, .nextRange, .hostBusy, .network, .space: break
        }
    }

    /// The wait that a 429 asks for holds for all connections to the host.
    ///
    /// - Parameter isOneOfSeveral: the host has just refused another transfer as well: the wait that a 503 asks for holds for
    ///   all connections, too.
    mutating func noteWait(
        _ wait: Duration?, of host: String, after failure: TransferFailure, isOneOfSeveral: Bool = false,
        at now: Moment
    ) {
        guard TooManyConnections.isSignOfClientLimit(failure) || isOneOfSeveral && failure == .httpStatus(503),
            let wait, wait > .zero, wait <= RetryPolicy.longestRetryAfter
        else { return }
        closeGate(host, until: now + wait)
        hosts.shares.noteRequest(ofPause: wait, by: host)
    }

    /// A URL that answers nothing else fails in the end, whatever its host does with others.
    private static let mostTimesRationed = 16

    private mutating func nextStep(
        of transfer: inout TransferState, _ connection: Connection?, areOthersServed: Bool,
        after failure: TransferFailure, requestedWait: Duration?, kept: ResumePoint?, at now: Moment
    ) -> (NextStep, RetryPolicy.Treatment) {
        if let connection, answers.answered(failure, since: connection.startedAt) { return (.wait(.zero), .again) }
        var attempt = RetryPolicy.Attempt(failure)
        attempt.retryAfter = requestedWait
        attempt.progress = max(.zero, (kept?.have ?? .zero) - transfer.history.haveAtStart)
        attempt.took = connection.map { now - $0.startedAt } ?? .zero
        attempt.isHostShared =
            transfer.holdsSlot && countOpen(besideOneAt: transfer.hostAndPort) > 0
        attempt.isHostServing = hosts[transfer.hostAndPort]?.servesOthers(than: transfer.id) ?? false
        attempt.isHostKnown = hosts[transfer.hostAndPort]?.hasAnswered ?? false
        if TooManyConnections.isSign(failure), let refusedAt = transfer.history.refusedAt[transfer.mirror],
            transfer.history.timesRationed < Self.mostTimesRationed,
            hosts[transfer.hostAndPort]?.rationsOthers(than: transfer.id, since: refusedAt) ?? false
        {
            transfer.history.timesRationed += 1
            (transfer.history.consecutiveRefusals, transfer.history.tries) = (0, min(1, transfer.history.tries))
        }
        attempt.consecutiveRefusals = transfer.history.consecutiveRefusals
        if TooManyConnections.isSign(failure) {
            if hosts[transfer.hostAndPort]?.lastRefused != transfer.id {
                transfer.history.timesSingledOut = 0
            } else if areOthersServed || countOpen(besideOneAt: transfer.hostAndPort) == 0 {
                transfer.history.timesSingledOut += 1
            }
        }
        attempt.timesSingledOut = transfer.history.timesSingledOut
        attempt.isSentOnce = transfer.spec.upload?.isSentOnce ?? false
        attempt.use = transfer.spec.upload?.httpProtocol.use ?? .download
        attempt.isOnlyTry = transfer.settings.maxTries == 1
        if let opensAt = transfer.splitting?.controller.opensAt, opensAt > now,
            SplitRefusal(failure, isAnswered: connection?.isAnswered ?? false) != nil
        {
            // The host turned away what it had let in before, because of further connections: it will let it in again.
            return (.wait(opensAt - now), .hostBusy)
        }
        transfer.history.noteNetwork(isAway: failure.isLocalNetworkFailure, at: now)
        attempt.networkAway = transfer.history.networkLost.map { now - $0 } ?? .zero
        var treatment = RetryPolicy.treatment(of: attempt, retryWait: transfer.settings.retryWait)
        // An attempt that made progress starts the count anew; a crawl is none.
        if attempt.progress > .zero {
            (transfer.history.consecutiveRefusals, transfer.history.timesSingledOut) = (0, 0)
            transfer.history.timesRationed = 0
            transfer.history.refusedAt = [:]
            if case .tooSlow = failure {} else { transfer.history.tries = 1 }
        }
        if TooManyConnections.isSign(failure) { transfer.history.refusedAt[transfer.mirror] = now }
        if failure == .mixed {
            guard transfer.settings.onChange == .restart else { return (.giveUp(failure), .never(failure)) }
            // One connection brings one file.
            _ = transfer.split { $0.refuse(.refused(reason: failure.message), at: now) }
            transfer.history.forgetTry()
            return (.wait(.zero), .nextRange(after: .zero))
        }
        if connection?.wasRefusedRange(failure) ?? false {
            _ = transfer.split { $0.endForRefusal(failure.message, at: now) }
        }
        let wait = requestedWait ?? .zero
        if wait <= RetryPolicy.longestRetryAfter,
            transfer.split({ $0.takeRefusal(hasProgress: attempt.progress > .zero) }) ?? false
        {
            // A request for all that is missing may well be answered.
            transfer.history.forgetTry()
            return (.wait(wait), .nextRange(after: wait))
        }
        // Another mirror may send more than a few bytes a request.
        if case .nextRange(let wait) = treatment, wait > .zero, transfer.hasMirrors { treatment = .again }
        let step: NextStep
        switch treatment {
        case .nextRange(let wait): step = .wait(wait)
        case .space:
            transfer.history.forgetTry()
            step = settings.spaceWait == .zero ? .giveUp(failure) : .space
        case .hostBusy, .network, .again, .never:
            step = nextStep(of: &transfer, after: failure, treatment, requestedWait: requestedWait, at: now)
        }
        // An attempt that could only begin when its time is over is none.
        if case .wait(let wait) = step, let limit = transfer.settings.maxTime,
            transfer.timeUsed(at: now) + wait >= limit
        {
            return (.giveUp(failure), treatment)
        }
        return (step, treatment)
    }

    /// Each mirror gets its turn at once, in order, before anything is waited for; one that failed for good is set aside.
    private mutating func nextStep(
        of transfer: inout TransferState, after failure: TransferFailure, _ treatment: RetryPolicy.Treatment,
        requestedWait: Duration?, at now: Moment
    ) -> NextStep {
        var earliestRetry = requestedWait ?? .zero
        if case .checksum = failure, transfer.split({ $0.distrustSources() }) == true { return .wait(.zero) }
        switch treatment {
        case .hostBusy:
            transfer.history.consecutiveRefusals += 1
            transfer.history.forgetTry()
        case .network: transfer.history.forgetTry()
        case .again, .never, .nextRange, .space: break
        }
        if failure.isMirrorsFault, transfer.hasMirrors {
            if let agreed = transfer.history.noteWrongFile(failure, from: transfer.hostAndPort) {
                return .giveUp(agreed)
            }
            if case .never = treatment {
                transfer.history.failedMirrors.insert(transfer.mirror)
            } else {
                transfer.history.triedMirrors.insert(transfer.mirror)
            }
            transfer.history.earliestRetry[transfer.mirror] = requestedWait.map { now + $0 }
            if turnToUntriedMirror(&transfer, at: now) { return .wait(.zero) }
            transfer.history.triedMirrors = []
            guard transfer.turnToNextMirror(excluding: []) else {
                if case .never(let reason) = treatment { return .giveUp(reason) }
                return .giveUp(failure)
            }
            earliestRetry = transfer.history.earliestRetry[transfer.mirror].map { $0 - now } ?? .zero
        } else if case .never(let reason) = treatment {
            return .giveUp(reason)
        }
        if let wait = uncountedWait(of: transfer, treatment) { return .wait(max(wait, earliestRetry)) }
        let wait = RetryDelay.afterFailure(
            tries: transfer.history.tries, settings: transfer.settings, earliestRetry: earliestRetry,
            jitter: nextJitter())
        return wait.map { .wait($0) } ?? .giveUp(failure)
    }

    /// The wait after an attempt that is not counted; `nil`: it is.
    private mutating func uncountedWait(
        of transfer: TransferState, _ treatment: RetryPolicy.Treatment
    ) -> Duration? {
        let times: Int
        switch treatment {
        case .hostBusy:
            times = transfer.history.consecutiveRefusals - 1
            // Another file is asked for first: this one may be refused for a reason of its own.
            guard times > 0, isBelowProven(transfer.hostAndPort) else { return .zero }
        case .network: times = transfer.history.timesWithoutNetwork
        case .again, .never, .nextRange, .space: return nil
        }
        return RetryDelay.uncounted(times: times, settings: transfer.settings, jitter: nextJitter())
    }

    /// Turns to a mirror that was not tried since the last wait and did not ask for patience; to one whose host fails
    /// again and again only when there is no other.
    private func turnToUntriedMirror(_ transfer: inout TransferState, at now: Moment) -> Bool {
        let delayed = transfer.history.earliestRetry.filter { $0.value > now }.keys
        let excluded = transfer.history.triedMirrors.union(delayed)
        if !hosts.faults.isEmpty, transfer.turnToNextMirror(excluding: excluded.union(coolingDown(transfer, at: now))) {
            return true
        }
        return transfer.turnToNextMirror(excluding: excluded)
    }

    private func coolingDown(_ transfer: TransferState, at now: Moment) -> Set<Int> {
        Set(
            transfer.spec.urls.indices.filter {
                hosts.faults.isCoolingDown(transfer.spec.urls[$0].hostAndPort, at: now)
            })
    }

    /// Before a start: when the mirror's host fails again and again, another takes its place, and its host's turn.
    mutating func turnToServingMirror(_ id: TransferID, at now: Moment) -> Bool {
        guard !hosts.faults.isEmpty, let index = index(of: id), rows[index].hasMirrors,
            hosts.faults.isCoolingDown(rows[index].hostAndPort, at: now)
        else { return false }
        var next = rows[index]
        let delayed = next.history.earliestRetry.filter { $0.value > now }.keys
        guard next.turnToNextMirror(excluding: coolingDown(next, at: now).union(delayed)) else { return false }
        let host = rows[index].hostAndPort
        change(id, at: now, nil) { $0 = next }
        schedule.enqueue(id, isListing: rows[index].isListing)
        // It may have been the only one let out of its host's parking.
        unpark(host)
        return true
    }
}

/// What the user has answered to the questions of failed transfers, and when.
///
/// Several transfers of a host connect at the same time. One that began before the answer may fail for the same reason
/// after it, and then needs only another connection.
struct UserAnswers: Sendable {
    private var trusted: [(key: SSHHostKey, at: Moment)] = []
    private var unlocked: [String: Moment] = [:]
    private var loggedIn: [String: Moment] = [:]

    mutating func trust(_ key: SSHHostKey, at now: Moment) {
        trusted.removeAll { $0.key.isSame(as: key) }
        trusted.append((key, now))
    }

    mutating func unlock(keyFile: String, at now: Moment) { unlocked[keyFile] = now }

    mutating func logIn(at origin: String, at now: Moment) { loggedIn[origin] = now }

    /// Whether the question of this failure was answered after the connection began.
    func answered(_ failure: TransferFailure, since start: Moment) -> Bool {
        switch failure {
        case .hostKeyUnknown(let key): trusted.contains { $0.key.isSame(as: key) && $0.at > start }
        case .keyLocked(let file, isWrong: false): unlocked[file].map { $0 > start } ?? false
        case .loginNeeded, .loginRefused: failure.loginOrigin.flatMap { loggedIn[$0] }.map { $0 > start } ?? false
        default: false
        }
    }
}

extension TransferFailure {
    /// The server has answered with something else than the file.
    fileprivate var isOtherAnswer: Bool {
        switch self {
        case .httpStatus, .badResponse, .unexpectedPage, .loginNeeded, .loginRefused, .redirectRefused,
            .tooManyRedirects:
            true
        default: false
        }
    }
}

extension TransferState {
    /// What is due when it has failed: what an upload has at its server stays for another attempt, and a stream is not read any
    /// further.
    var endings: [QueueAction] {
        guard case .failed = phase, spec.upload != nil else { return [] }
        return [discarding(nil)]
    }
}
