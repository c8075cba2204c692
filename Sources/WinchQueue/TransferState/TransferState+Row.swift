package import WinchModel
import WinchProgress

extension TransferState {
    /// What a front end shows of the transfer.
    package func row(at now: Moment) -> TransferSnapshot {
        var copy = self
        return copy.show(at: now)
    }

    /// As `row`. Changes nothing: see `summarize`.
    mutating func show(at now: Moment) -> TransferSnapshot {
        let isMoving = isMoving
        let rate = isMoving ? estimator?.rate(at: now) : nil
        let silentSince = isMoving ? estimator?.stalledSince(at: now) : nil
        // A silence that the limiter makes is no stall.
        let isHeldBack = silentSince != nil && isHeldBack(at: now)
        var row = TransferSnapshot(
            id: id, direction: spec.direction, name: name, host: hostKey, urls: spec.urls, mirror: mirror,
            folder: spec.folder, phase: rowPhase, have: have, size: size, rate: rate,
            stalledSince: isHeldBack ? nil : silentSince,
            finish: finish(at: now),
            isAtRateLimit: isHeldBack || isAtLimit(rate), limit: isMoving ? appliedLimit : nil, rebase: rebase,
            verified: isVerifying || stage == .connecting ? history.verified : nil, warning: warning,
            retry: retry, split: splitProgress,
            wouldBeginAgain: wouldBeginAgain)
        row.isLimitOwn = isMoving && isLimitOwn
        return row
    }

    /// The limit that is applied is its own, which may be shared by several connections, not a smaller part of the total limit.
    private var isLimitOwn: Bool {
        guard let own = settings.rateLimit, let appliedLimit else { return false }
        return appliedLimit.perSecond > 0.99 * own.perSecond
    }

    private var wouldBeginAgain: Bool {
        guard isMoving, have > .zero else { return false }
        guard let upload = spec.upload else { return history.cannotContinue }
        return upload.content == .standardInput || !upload.isTus && (url.scheme == .http || url.scheme == .https)
    }

    /// No byte has come for a while, and no limit is the reason.
    @inline(__always) func isStalled(at now: Moment) -> Bool {
        isMoving && estimator?.stalledSince(at: now) != nil && !isHeldBack(at: now)
    }

    /// The limiter leaves one that is slow by itself a quarter more than it moves, so that it stays below four fifths.
    private func isAtLimit(_ rate: ByteRate?) -> Bool {
        guard let rate, let appliedLimit else { return false }
        return rate.perSecond >= 0.9 * appliedLimit.perSecond
    }

    private var activePhase: TransferPhase {
        switch stage {
        case .connecting where history.verified != nil: .verifying
        case .connecting, .delivered, .closing, nil: .connecting
        case .requested: .requested
        case .moving: .moving
        case .replying: .replying
        }
    }

    private var rowPhase: TransferPhase {
        switch phase {
        case .waiting where awaitsSpace: .waiting(.space(folder: spec.folder))
        case .waiting: .waiting(sizing == .asked ? .sizing : .slot)
        case .active: activePhase
        case .verifying: .verifying
        case .paused: .paused
        case .backoff(let until, let failure):
            .backoff(until: until, attempt: nextTry, limit: settings.maxTries, failure: failure)
        case .finished(let outcome): .finished(outcome)
        case .failed(let failure): .failed(failure)
        case .cancelled: .cancelled
        }
    }
}
