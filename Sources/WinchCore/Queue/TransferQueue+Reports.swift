extension TransferQueue {
    /// What the transport says happened.
    mutating func take(_ report: TransportReport, at now: Moment) -> [QueueAction] {
        if case .probed(let size) = report.event {
            takeSize(size, of: report.id, at: now)
            return []
        }
        guard let transfer = self[report.id], transfer.stamp == report.stamp else {
            ignored += 1
            return []
        }
        let id = report.id
        switch (transfer.phase, report.event) {
        case (.connecting, .requested):
            change(id, at: now, nil) { $0.phase = .requested }
        case (.connecting, .redirected(let url)), (.requested, .redirected(let url)):
            change(id, at: now, .redirected(url: url)) { _ in }
        case (.connecting, .opened(let opening)), (.requested, .opened(let opening)):
            open(id, opening, at: report.at)
        case (.moving, .moved(let have)):
            guard have >= transfer.have else { break }
            moved += have - transfer.have
            change(id, at: now, .moved) { transfer in
                transfer.setHave(have)
                transfer.resume?.have = have
                transfer.estimator?.record(have, at: report.at)
            }
            return []
        case (.moving, .outgrown(let have)):
            change(id, at: now, .moved, cause: .outgrown) { transfer in
                transfer.size = .unknown(estimate: have)
                transfer.setHave(have)
                transfer.size = .unknown(estimate: ByteCount(bytes: min(have.bytes, .max / 2) * 2))
            }
            return []
        case (.connecting, .bodyEnded(let size)), (.requested, .bodyEnded(let size)), (.moving, .bodyEnded(let size)):
            if transfer.phase == .moving, size > transfer.have { moved += size - transfer.have }
            change(id, at: now, .verifying) { transfer in
                transfer.have = size
                transfer.size = .exact(size)
                transfer.phase = .verifying(isCancelling: false)
                transfer.stopClock(at: now)
            }
            return []
        case (.connecting, .finished(let outcome, let size)), (.requested, .finished(let outcome, let size)),
            (.moving, .finished(let outcome, let size)), (.verifying, .finished(let outcome, let size)):
            finish(id, outcome, size, at: now)
            return []
        case (.connecting, .failed(let failure, let wish, let kept)),
            (.requested, .failed(let failure, let wish, let kept)), (.moving, .failed(let failure, let wish, let kept)),
            (.verifying(isCancelling: false), .failed(let failure, let wish, let kept)):
            return fail(id, failure, retryAfter: wish, kept: kept, at: now)
        case (.verifying(isCancelling: true), .failed(_, _, let kept)):
            settleCancelled(id, at: now)
            return [.discard(id, kept)]
        case (.verifying(isCancelling: true), .stopped):
            settleCancelled(id, at: now)
            return []
        case (.paused, .stopped(let kept)), (.failed, .stopped(let kept)):
            keep(id, kept, at: now)
            return []
        case (.paused, .finished(let outcome, let size)):
            // It was complete before the pause arrived.
            finish(id, outcome, size, at: now)
            return []
        case (_, .requested), (_, .redirected), (_, .opened), (_, .moved), (_, .outgrown), (_, .bodyEnded),
            (_, .finished), (_, .failed), (_, .stopped), (_, .probed):
            ignored += 1
        }
        return []
    }

    private mutating func open(_ id: TransferID, _ opening: Opening, at now: Moment) {
        change(id, at: now, .headers(status: opening.status), cause: opening.startedOver ?? .lostOnRetry) { transfer in
            transfer.phase = .moving
            transfer.name = opening.part.targetPath
            transfer.resume = opening.part
            if let total = opening.total {
                transfer.size = transfer.size.refined(by: .declared(total))
            } else if opening.startedOver != nil, transfer.size.known != nil {
                // Another file than the one whose size was known.
                transfer.size = .unknown(estimate: opening.offset)
            }
            transfer.setHave(opening.offset)
            var estimator = RateEstimator()
            estimator.record(opening.offset, at: now)
            transfer.estimator = estimator
        }
    }

    private mutating func finish(_ id: TransferID, _ outcome: RowPhase.Outcome, _ size: ByteCount, at now: Moment) {
        change(id, at: now, .finished(outcome), cause: .fileChanged) { transfer in
            transfer.phase = .finished(outcome)
            transfer.have = size
            transfer.size = .exact(size)
            transfer.name = outcome.path
            transfer.resume = nil
            transfer.stopClock(at: now)
        }
    }

    /// What the transport says is on disk after a stop.
    private mutating func keep(_ id: TransferID, _ kept: ResumePoint?, at now: Moment) {
        change(id, at: now, nil, cause: .lostOnRetry) { transfer in
            transfer.resume = kept ?? transfer.resume
            if let kept { transfer.setHave(kept.have) }
        }
    }

    /// Tries again, elsewhere or later, or settles as failed.
    mutating func fail(
        _ id: TransferID, _ failure: TransferFailure, retryAfter: Duration? = nil, kept: ResumePoint?, at now: Moment
    ) -> [QueueAction] {
        guard var next = self[id] else { return [] }
        let have = kept?.have ?? .zero
        // An attempt that made progress starts the count anew.
        if have > next.haveAtStart { next.tries = 1 }
        let kind: FeedEvent.Kind
        if failure.isMirrorsFault, goesToAnotherMirror(&next, failure) {
            next.phase = .waiting
            kind = .retrying(in: .zero, failure: failure)
        } else if let wait = RetryPolicy.wait(
            after: failure, tries: next.tries, settings: next.settings, retryAfter: retryAfter, jitter: nextJitter())
        {
            _ = next.turnToNextMirror()
            next.phase = .backoff(until: now + wait, failure: failure)
            retries.insert(Retry(at: now + wait, id: id, stamp: next.stamp))
            kind = .retrying(in: wait, failure: failure)
        } else {
            next.phase = .failed(failure)
            next.stopClock(at: now)
            kind = .failed(failure)
        }
        change(id, at: now, kind, cause: .lostOnRetry) { transfer in
            transfer.phase = next.phase
            transfer.tries = next.tries
            transfer.mirror = next.mirror
            transfer.deadMirrors = next.deadMirrors
            transfer.timeSpent = next.timeSpent
            transfer.clockStarted = next.clockStarted
            transfer.resume = kept
            transfer.have = have
            transfer.setHave(have)
        }
        guard settings.failsFast, case .failed = kind else { return [] }
        return stopAll(at: now)
    }

    /// The next mirror gets its turn at once, until each has failed; one that failed for good is set aside.
    private func goesToAnotherMirror(_ transfer: inout TransferState, _ failure: TransferFailure) -> Bool {
        guard transfer.spec.urls.count > 1 else { return false }
        if !failure.isRetryable { transfer.setMirrorAside() }
        let isRoundOver = failure.isRetryable && transfer.tries % transfer.spec.urls.count == 0
        return !isRoundOver && transfer.turnToNextMirror()
    }

    private mutating func nextJitter() -> Double {
        Double.random(in: 0..<1, using: &jitter)
    }

    /// `--fail-fast`: connections are closed, parts kept.
    private mutating func stopAll(at now: Moment) -> [QueueAction] {
        var actions: [QueueAction] = []
        for id in order {
            guard let transfer = self[id], !transfer.isSettled, !transfer.isVerifying else { continue }
            if transfer.holdsSlot { actions.append(.stop(id, transfer.stamp, discarding: false)) }
            change(id, at: now, .failed(.stoppedByFailFast)) { transfer in
                transfer.phase = .failed(.stoppedByFailFast)
                transfer.stopClock(at: now)
            }
        }
        return actions
    }
}

extension RowPhase.Outcome {
    /// Where the file is.
    public var path: String {
        switch self {
        case .saved(let path), .skipped(let path), .alreadyComplete(let path): path
        }
    }
}
