import WinchModel

/// What a host does not allow.
extension SplitController {
    mutating func refuse(_ number: Int, _ refusal: SplitRefusal, at now: Moment) -> [SplitDecision] {
        guard connections.removeValue(forKey: number) != nil else { return [] }
        let wasTrying = trial
        let before = wasTrying?.base ?? proven
        guard accepted > 0 || wasTrying != nil || refusedAt != nil || proven > 1 else { return [] }
        (refusedAt, check) = (now, nil)
        remeasure(at: now)
        if accepted == 0 { return [ban(below: before, refusal, at: now)] }
        // A connection opened for one that has just ended may be refused because the host has not seen the end yet.
        if wasTrying == nil, accepted < proven, refusalsBelowLimit == 0 {
            refusalsBelowLimit = 1
            opensAt = now + Self.firstBackoff
            return []
        }
        if refusal == .noConnection, resetBeside.map({ accepted > $0 }) ?? true {
            // Once may be chance: it is tried again.
            resetBeside = accepted
            if let wasTrying { abandon(wasTrying) }
            proven = max(1, min(proven, accepted))
            holdsUntil = now + Self.firstBackoff
            return []
        }
        learn(accepted, isOfHost: refusal.isOfHost)
        limitRisesAt = refusal.isOfHost ? now + limitHold : nil
        limitHold = min(Self.longestLimitHold, limitHold * 2)
        trial = nil
        proven = max(1, min(wasTrying?.level ?? proven, accepted))
        note = refusal.isOfHost ? .serverAllows(proven) : .oneRequestOnly
        let last = max(proven + 1, wasTrying?.level ?? proven + 1)
        return [
            SplitDecision(tried: proven + 1...last, gain: nil, verdict: .refused(refusal), level: proven)
        ]
    }

    /// A connection was lost in the middle: beside a refusal this is a ban.
    mutating func lose(_ number: Int, at now: Moment) {
        guard let state = connections.removeValue(forKey: number) else { return }
        if !state.isAnswered, trial != nil || refusedAt != nil {
            connections[number] = state
            _ = refuse(number, .noConnection, at: now)
        } else if let refusedAt, (now - refusedAt).seconds < Self.banWindow, accepted == 0 {
            _ = ban(below: proven, .noConnection, at: now)
        } else {
            remeasure(at: now)
        }
    }

    /// One more was let in after a refusal: the host allows as many.
    mutating func noteAccepted(at now: Moment) {
        if let before = resetBeside, accepted > before { resetBeside = nil }
        guard let limit, isLimitNew || isRisen, accepted >= limit else { return }
        refusalsBelowLimit = 0
        if limitRisesAt == nil, isRisen { (limitRisesAt, limitHold) = (now + Self.firstLimitHold, Self.firstLimitHold) }
        if accepted > limit {
            learn(accepted, isOfHost: true)
            proven = max(proven, min(accepted, most))
            note = .serverAllows(accepted)
        }
    }

    /// What a host has refused may be free by now: one more is tried now and then.
    mutating func raiseLimit(at now: Moment) {
        guard let rises = limitRisesAt, rises <= now, let limit else { return }
        (self.limit, isRisen, limitRisesAt) = (limit + 1, true, nil)
    }

    /// - Parameter isOfHost: it holds for other files, too, and is worth keeping.
    private mutating func learn(_ allowed: Int, isOfHost: Bool) {
        limit = max(1, allowed)
        (isLimitNew, isRisen) = (isOfHost, false)
    }

    private mutating func ban(below base: Int, _ refusal: SplitRefusal, at now: Moment) -> SplitDecision {
        let tried = trial.map { $0.base + 1...$0.level } ?? max(1, proven)...max(1, proven)
        trial = nil
        // Without an answer the network may be gone.
        learn(min(limit ?? .max, max(1, base)), isOfHost: refusal.isOfHost && refusal != .noConnection)
        limitRisesAt = nil
        proven = 1
        opensAt = now + backoff
        backoff = min(Self.longestBackoff, backoff * 2)
        holdsUntil = now + Self.holdAfterBan
        note = limit.map(SplitNote.serverAllows)
        return SplitDecision(tried: tried, gain: nil, verdict: .refused(refusal), level: 1)
    }

    /// Seconds after a refusal in which lost connections belong to it.
    static let banWindow = 5.0
    /// After a ban a second connection is tried late, and never more than were served before it.
    static let holdAfterBan = Duration.seconds(30)
}
