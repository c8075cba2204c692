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
        let isHeldBack = silentSince != nil && connections.areHeldBack(at: now)
        var row = TransferSnapshot(
            id: id, direction: spec.direction, name: name, host: hostAndPort, urls: spec.urls, mirror: mirror,
            folder: spec.folder, namedParts: spec.namedParts, phase: rowPhase, have: have, size: size, rate: rate,
            stalledSince: isHeldBack ? nil : silentSince,
            finish: finish(at: now),
            isAtRateLimit: isHeldBack || isAtLimit(rate), limit: isMoving ? appliedLimit : nil, rebase: rebase,
            verified: isVerifying || stage == .connecting ? history.verified : nil, warning: warning,
            retry: retry, split: splitProgress,
            wouldBeginAgain: wouldBeginAgain, found: isListing && !isSettled ? listing?.found : nil)
        row.isLimitOwn = isMoving && isLimitOwn
        return row
    }

    /// The limit that is applied is its own, which may be shared by several connections, not a smaller part of the total limit.
    private var isLimitOwn: Bool {
        guard let own = settings.rateLimit, let appliedLimit else { return false }
        return appliedLimit.perSecond > 0.99 * own.perSecond
    }

    private var wouldBeginAgain: Bool { isMoving && have > .zero && !canContinue }

    /// Another attempt goes on where this one ends: the server offers parts, or can be sent them.
    var canContinue: Bool {
        guard let upload = spec.upload else { return !history.cannotContinue }
        return upload.content != .standardInput && (upload.httpProtocol != .plain || !url.scheme.isHTTP)
    }

    /// No byte has come for a while, and no limit is the reason.
    @inline(__always) func isStalled(at now: Moment) -> Bool {
        isMoving && estimator?.stalledSince(at: now) != nil && !connections.areHeldBack(at: now)
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
        case .waiting where isFailing: .verifying
        case .waiting where awaitsSpace: .waiting(.space(folder: spec.folder))
        case .waiting: .waiting(sizing == .asked ? .sizing : .slot)
        case .active: activePhase
        case .verifying where isListing: .moving
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

/// The connections as a front end shows them.
extension TransferState {
    /// Where the bytes are; `nil`: at the start of the file, from one connection, and more may come.
    var splitProgress: SplitProgress? {
        guard spec.direction == .down, settledClass != .ok else { return nil }
        let (open, reason) = (counts.open, connectionReason)
        let onDisk = resume?.have == have ? resume?.onDisk ?? ByteRanges() : ByteRanges(prefix: have)
        let isInParts = open > 1 || onDisk.hasGap
        guard isInParts || reason != nil else { return nil }
        let isFixed = reason != nil && (splitting?.obstacle != nil || splitting == nil)
        let working = isInParts ? connections.open.filter { $0.rest?.isEmpty == false }.map(\.position) : []
        return SplitProgress(
            connections: open, onDisk: isInParts ? onDisk.ranges : [], working: working.sorted(), reason: reason,
            isFixed: isFixed)
    }

    /// Why there are not more connections; `nil`: more are tried, or not needed.
    var connectionReason: String? {
        guard spec.direction == .down, !isListing, case .active = phase else { return nil }
        let reasons = [splitting?.reason, hasMirrors ? splitting?.mirrorReason : nil].compactMap { $0 }
        if !reasons.isEmpty { return reasons.joined(separator: "; ") }
        let isUnknown = isMoving && size.known == nil
        return isUnknown ? SplitObstacle.unknownSize.words : nil
    }

    /// In the order of opening.
    func openConnections(at now: Moment) -> [OpenConnection] {
        connections.open.compactMap { connection in
            guard let phase = connection.phase.shown else { return nil }
            let known = splitting?.controller.connections[connection.id.number]
            let rate = known.map { $0.rate(at: now).map { ByteRate(perSecond: $0) } } ?? estimator?.rate(at: now)
            return OpenConnection(
                number: connection.id.number, range: (known == nil ? nil : connection.rest) ?? rest(of: connection),
                rate: phase == .moving ? rate : nil, host: connection.host, began: connection.startedAt, phase: phase)
        }
    }

    /// What the only connection of a file is still to bring.
    private func rest(of connection: Connection) -> Range<Int64>? {
        guard connection.phase == .moving, spec.direction == .down, let size = size.known?.bytes,
            connection.position < size
        else { return nil }
        return connection.position..<size
    }
}

extension Connection.Phase {
    /// `nil`: it is not open any more.
    fileprivate var shown: OpenConnection.Phase? {
        switch self {
        case .connecting: .connecting
        case .requested: .requested
        case .moving: .moving
        case .replying: .replying
        case .delivered, .closing: nil
        }
    }
}
