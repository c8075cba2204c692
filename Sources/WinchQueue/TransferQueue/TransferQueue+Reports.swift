import WinchModel
import WinchProgress

extension TransferQueue {
    /// What a list or a server's Metalink says of the file stays with the transfer: later attempts and runs verify by it too.
    private mutating func keepHashes(
        of id: TransferID, _ demands: [ExpectedChecksum], _ pieces: PieceHashes?, at now: Moment
    ) {
        guard let spec = self[id]?.spec else { return }
        let named = demands.filter { $0.range == nil }
        // The user's list counts more than a Metalink.
        let first = named.first { $0.origin == .list } ?? named.first { $0.origin == .metalink }
        let isNew = spec.listedChecksum == nil || spec.listedOrigin == .metalink && first?.origin == .list
        let listed = isNew ? first : nil
        let found = spec.pieces == nil ? pieces : nil
        guard listed != nil || found != nil else { return }
        change(id, at: now, nil) { transfer in
            if let listed {
                (transfer.spec.listedChecksum, transfer.spec.listedOrigin) = (listed.checksum, listed.origin)
            }
            if let found { transfer.spec.pieces = found }
        }
        // A run that is killed has to leave it as well.
        ledger?.noteNow(id)
    }

    mutating func take(_ report: TransportReport, at now: Moment) -> [QueueAction] {
        if case .probed(let size) = report.event {
            takeSize(size.flatMap { $0 >= .zero ? $0 : nil }, of: report.id, at: now)
            return []
        }
        // Only what is needed is read: a copy of the whole would cost more than all the rest.
        guard let index = index(of: report.id), report.event.isPlausible else { return ignoring() }
        if case .wrongPiece(let range, let source, let failure) = report.event {
            return takeWrongPiece(range, of: report.connection, from: source, failure, at: now)
        }
        // The connection has ended, and the row shows what came after it.
        if case .warned(let warning) = report.event, case .leftAtServer = warning {
            change(report.id, at: now, .warned(warning)) { _ in }
            return []
        }
        guard let connection = ask(index, { $0.connections[report.connection] }) else { return ignoring() }
        if let closing = connection.closing,
            let actions = takeAnswer(report.event, to: connection.id, closing, at: now)
        {
            return actions + (leaving.isEmpty ? [] : removeLeaving(report.id, at: now))
        }
        let id = report.id
        // Its connection has nothing more to say.
        if rows[index].awaitsEntries { return ignoring() }
        if rows[index].spec.direction == .up, let actions = takeSending(report.event, of: connection, at: now) {
            return actions
        }
        if rows[index].isListing, let actions = takeListing(report.event, of: connection, at: now) { return actions }
        if case .failed(let failure, _, _) = report.event, let actions = listInstead(connection, failure, at: now) {
            return actions
        }
        let phase = connection.phase
        let isVerifying = rows[index].isVerifying
        switch report.event {
        case .connected(let facts): detailsStore[id]?.facts = facts
        case .demanded(let demands, let pieces):
            detailsStore[id]?.demands = demands
            keepHashes(of: id, demands, pieces, at: now)
            takeNewSources(of: id, at: now)
        case .mirrors(let urls, _):
            change(id, at: now, nil) { $0.addMirrors(urls) }
            takeNewSources(of: id, at: now)
        case .requested where phase == .connecting:
            change(id, at: now, nil) { transfer in
                transfer.connections.change(connection.id) { $0.phase = .requested }
                transfer.history.verified = nil
            }
        case .requested where phase.isMoving && isSplit(id):
            change(id, at: now, nil) { $0.connections.change(connection.id) { $0.askForNext() } }
        case .redirected(let url, let status) where phase.isBeforeAnswer || phase == .replying:
            // In ASIHTTPRequest's order: the redirect's own headers, then where it leads.
            change(id, at: now, .headers(status: status)) { _ in }
            change(id, at: now, .redirected(url: url)) { _ in }
        case .opened(let opening) where phase.isBeforeAnswer:
            begin(connection, opening, heard: report.at, at: now)
            noteAnswer(to: connection, isServed: true, at: now)
            return beginSplitting(connection, opening, at: now) + stopIfTooLarge(id, at: now)
        case .moved(let bytes, let chunk) where phase.isBeforeAnswer && bytes.isEmpty && connection.asksForPart:
            takeJoin(of: connection, chunk, at: now)
        case .ended where phase.isMoving || phase.isBeforeAnswer && connection.asksForPart:
            return takeEnded(connection, at: now)
        case .moved(let bytes, let chunk) where phase.isMoving && bytes.upperBound > connection.position:
            takeMove(of: connection, connection.newBytes(of: bytes), in: chunk, heard: report.at, at: now)
        case .warned(let warning)
        where phase.isMoving || connection.isOpen && (rows[index].isListing || rows[index].spec.direction == .up):
            change(id, at: now, .warned(warning)) { $0.warning = warning.orGraver($0.warning) }
        case .durable(let synced) where phase.isMoving || phase == .delivered || connection.isClosing && isVerifying:
            update(id) { $0.resume?.durable = synced }
            ledger?.noteMoved(id, at: now)
        // Before a body a file that is there is read; afterwards the complete body.
        case .verified(let count, let size)
        where phase.isBeforeAnswer || phase == .delivered || connection.isClosing && isVerifying:
            change(id, at: now, nil) { $0.history.verified = min(count, size) }
        case .bodyEnded(let size) where phase.isBeforeAnswer || phase.isMoving: takeEnd(of: connection, size, at: now)
        case .finished(let outcome, let size) where !connection.isClosing: finish(id, outcome, size, at: now)
        case .listed(let specs, let size, let warning, _) where phase.isBeforeAnswer && !specs.isEmpty:
            return takeListed(specs, by: connection, size: size, warning: warning, at: now)
        case .failed(let failure, let asked, let kept) where !connection.isClosing:
            // No other part is asked for after a wrong answer: its Retry-After concerns no request that follows.
            let wait = connection.gotWrongAnswer(failure) ? nil : asked
            guard phase.isBeforeAnswer || phase.isMoving, rows[index].connections.hasOpen(beside: connection.id) else {
                return fail(id, connection, failure, retryAfter: wait, kept: kept, heard: max(report.at, now), at: now)
            }
            let requestedWait = wait.map { max(report.at, now) - now + $0 }
            return takeFailure(of: connection, failure, requestedWait: requestedWait, kept: kept, at: now)
        case .stopped(let kept) where isEnding && !connection.isClosing:
            let failure = kept?.unanswered
            change(id, at: now, failure.map(FeedEvent.Kind.failed), cause: .lostOnRetry) { transfer in
                transfer.connections.remove(connection.id)
                transfer.keep(kept, hadOpened: connection.isAnswered)
                transfer.phase = failure.map(TransferState.Phase.failed) ?? .waiting
                transfer.stopClock(at: now)
            }
            detailsStore[id]?.interrupt(have: rows[index].have, at: now)
            ledger?.noteNow(id)
        case .requested, .redirected, .opened, .moved, .found, .ended, .wrongPiece, .durable, .warned, .verified,
            .bodyEnded, .finished, .listed, .failed, .stopped, .probed, .sent, .unsent, .placed, .replied:
            ignore()
        }
        return []
    }

    private mutating func takeMove(
        of connection: Connection, _ bytes: Range<Int64>, in chunk: Range<Int64>, heard: Moment, at now: Moment
    ) {
        let id = connection.id.transfer
        noteArrival(ByteCount(bytes: Int64(bytes.count)), of: id)
        let have = rows[id.number - 1].have
        let cause = rows[id.number - 1].size.known == nil ? Rebase.Cause.guessOutgrown : .outgrown
        change(id, at: now, .moved, cause: cause) { $0.take(bytes, of: connection.id, in: chunk, at: heard) }
        noteSplitMove(of: connection, bytes, new: rows[id.number - 1].have - have, at: heard)
    }

    private mutating func takeEnd(of connection: Connection, _ size: ByteCount, at now: Moment) {
        let id = connection.id.transfer
        let cause = rows[id.number - 1].size.known == nil ? Rebase.Cause.sizeLearned : .fileChanged
        if case .moving = connection.phase {
            // Of a file over several connections the position of one says nothing of the others' bytes.
            let known = isSplit(id) ? rows[id.number - 1].have : ByteCount(bytes: connection.position)
            noteArrival(size - known, of: id)
        }
        judgeLinks(of: id, sent: size, at: now)
        change(id, at: now, .verifying, cause: cause) { transfer in
            transfer.have = size
            transfer.resume?.onDisk = ByteRanges(prefix: size)
            transfer.size = .exact(size)
            transfer.connections.change(connection.id) { $0.phase = .delivered }
            transfer.connections.removeAll(but: connection.id)
            transfer.phase = .verifying(isCancelling: false)
            transfer.history.verified = nil
            transfer.stopClock(at: now)
        }
    }

    /// So many bytes moved over the network.
    mutating func noteArrival(_ bytes: ByteCount, of id: TransferID) {
        guard bytes > .zero else { return }
        meters.arrived(bytes)
        update(id) { $0.record.received += bytes }
        // What is reserved was counted when that was reported, and an upload writes nothing.
        let disk = ask(id.number - 1) { $0.hasReservedSpace || $0.spec.direction == .up ? nil : $0.history.disk }
        if let disk { disks.wrote(bytes.bytes, on: disk) }
    }

    /// How a connection that was told to close has ended; `nil`: this report is not about that.
    private mutating func takeAnswer(
        _ event: TransportEvent, to connection: ConnectionID, _ closing: Connection.Closing, at now: Moment
    ) -> [QueueAction]? {
        let id = connection.transfer
        let left: ResumePoint?
        // Why what was under way is not sent again; `nil`: it may be.
        var unrepeatable: TransferFailure?
        switch event {
        case .finished(let outcome, let size):
            // It was complete before the stop arrived.
            finish(id, outcome, size, at: now)
            return []
        case .stopped(let kept): (left, unrepeatable) = (kept, kept?.unanswered)
        case .failed(let failure, _, let kept):
            left = kept
            if self[id]?.spec.upload?.isSentOnce == true {
                unrepeatable = RetryPolicy.finalFailure(ofRequestSentOnce: failure)
            }
        // It was to be stopped, and its files are not added.
        case .listed: left = nil
        // It had ended before it was told to.
        case .ended: left = closing.disposition == .discarding ? nil : self[id]?.resume
        case .requested, .connected, .demanded, .mirrors, .redirected, .opened, .moved, .wrongPiece, .durable,
            .sent, .unsent, .placed, .replied, .warned, .verified, .bodyEnded, .found, .probed:
            return nil
        }
        let phase = self[id]?.phase
        let isCancelling = phase == .verifying(isCancelling: true)
        let isLast = self[id].map { !$0.isSettled && $0.connections.all.count == 1 } ?? false
        let failure = isLast ? closing.failure ?? unrepeatable : nil
        let paused = closing.isPause && phase == .paused ? FeedEvent.Kind.paused : nil
        change(id, at: now, failure.map(FeedEvent.Kind.failed) ?? paused, cause: .lostOnRetry) { transfer in
            transfer.connections.remove(connection)
            if closing.disposition == .keeping { transfer.keep(left, hadOpened: closing.hadOpened) }
            if let failure {
                transfer.phase = .failed(failure)
                transfer.setHave(transfer.resume?.have ?? .zero)
            }
        }
        ledger?.noteSoon(id, at: now)
        if isCancelling { settleCancelled(id, at: now) }
        guard let transfer = self[id] else { return [] }
        switch closing.disposition {
        case .keeping where isEnding && transfer.phase == .cancelled: return removePart(of: id, at: now)
        case .keeping: return failure == nil ? [] : transfer.endings
        case .discarding: return left.map { [transfer.discarding($0)] } ?? []
        case .dropping(let resume): return [transfer.discarding(left ?? resume)]
        }
    }

    private mutating func begin(_ connection: Connection, _ opening: Opening, heard: Moment, at now: Moment) {
        let id = connection.id.transfer
        startMeter(at: now)
        let guess = sums.estimate
        let have = opening.part.have
        let isLoss = have < rows[id.number - 1].have
        let restarts = have < rows[id.number - 1].history.haveAtStart
        let cause = opening.startedOver ?? (isLoss ? .lostOnRetry : .sizeLearned)
        if let total = opening.total { judgeLinks(of: id, sent: total, at: now) }
        change(id, at: now, .headers(status: opening.status), cause: cause) { transfer in
            transfer.connections.change(connection.id) { $0.begin(at: opening.offset.bytes) }
            transfer.history.hasNewAddress = false
            transfer.history.cannotContinue = !opening.canContinue
            transfer.warning = nil
            // Begun anew, it makes progress once it is further than ever: else two attempts could take turns for ever.
            if restarts {
                transfer.history.haveAtStart = max(transfer.history.haveAtStart, transfer.history.largestHave)
            }
            transfer.name = opening.part.targetPath
            transfer.resume = opening.part
            if let total = opening.total {
                transfer.size = transfer.size.refined(by: .declared(total))
            } else if opening.startedOver != nil, transfer.size.known != nil {
                // Another file than the one whose size was known.
                transfer.size = .unknown(estimate: guess)
            }
            transfer.setHave(have)
            // Another file may come at another rate; the rest of this one hardly will.
            let known = opening.startedOver == .fileChanged ? nil : transfer.estimator
            transfer.estimator = known ?? RateEstimator()
            transfer.estimator?.lose(downTo: have)
            transfer.estimator?.record(have, at: heard)
        }
        ledger?.noteOpened(id, opening.part)
        let index = id.number - 1
        // The space that an opened file has reserved is as good as written.
        if rows[index].hasReservedSpace, let disk = rows[index].history.disk {
            disks.wrote(rows[index].needs, on: disk)
        }
    }

    mutating func finish(_ id: TransferID, _ outcome: TransferPhase.Outcome, _ size: ByteCount, at now: Moment) {
        let index = id.number - 1
        if case .saved = outcome {
            hosts.noteCompletedFile(rows[index].hostAndPort)
            if let disk = ask(index, { $0.history.disk }) { disks.wroteFile(on: disk) }
        }
        let cause = rows[index].size.known == nil ? Rebase.Cause.sizeLearned : .fileChanged
        change(id, at: now, .finished(outcome), cause: cause) { transfer in
            transfer.record.validator = transfer.completeVersion
            transfer.phase = .finished(outcome)
            transfer.have = size
            transfer.size = .exact(size)
            transfer.name = outcome.path
            if transfer.spec.finishedFile != nil {
                transfer.spec.finishedFile = nil
                transfer.record.wasFinished = true
            }
            // Of an upload it says which version of the source was sent.
            if transfer.spec.direction == .down {
                transfer.resume = nil
            } else {
                transfer.resume?.upload?.isUnanswered = nil
            }
            transfer.connections.removeAll()
            if transfer.listing != nil { transfer.listing = nil }
            transfer.record.worked = transfer.timeWorked(at: now)
            transfer.history = AttemptHistory()
        }
    }
}

extension TransferState {
    /// Takes what the transport says is on disk after a stop.
    ///
    /// - Parameter hadOpened: the part was open; nothing kept then means that it is gone.
    mutating func keep(_ kept: ResumePoint?, hadOpened: Bool) {
        guard kept != nil || hadOpened || resume?.unanswered != nil else { return }
        resume = kept?.unanswered == nil ? kept : nil
        setHave(resume?.have ?? .zero)
    }
}

extension TransportEvent {
    /// No count of bytes is below zero.
    var isPlausible: Bool {
        switch self {
        case .requested, .connected, .demanded, .mirrors, .redirected, .replied, .warned, .ended: true
        case .verified(let count, let size): count >= .zero && size >= .zero
        case .found(let specs): !specs.isEmpty
        case .listed(_, let size, _, _): size >= .zero
        case .sent(let count, let size): count >= .zero && size ?? .zero >= .zero
        case .opened(let opening):
            opening.offset >= .zero && opening.total ?? .zero >= .zero && opening.part.onDisk.isPlausible
        case .unsent(let count, _): count >= .zero
        case .placed(let point, _): point.onDisk.isPlausible && point.upload != nil
        case .moved(let bytes, let chunk): bytes.lowerBound >= 0 && chunk.lowerBound >= 0
        case .wrongPiece(let range, _, _): range.lowerBound >= 0 && !range.isEmpty
        case .durable(let ranges): ranges.isPlausible
        case .bodyEnded(let count),
            .finished(_, let count):
            count >= .zero
        case .failed(_, _, let kept), .stopped(let kept):
            kept?.onDisk.isPlausible ?? true && kept?.total ?? .zero >= .zero
        case .probed(let size): size ?? .zero >= .zero
        }
    }
}

extension ResumePoint {
    /// A state kept from an earlier run, as far as it makes sense.
    var plausible: ResumePoint? {
        guard onDisk.isPlausible else { return nil }
        var point = self
        if let total, total.bytes < onDisk.end { point.total = nil }
        return point
    }
}

extension ByteRanges {
    /// No position is below zero.
    fileprivate var isPlausible: Bool { ranges.first?.lowerBound ?? 0 >= 0 }
}
