import WinchModel

/// The part of one worker in the limit of its run.
extension GateMachine {
    private var isWorking: Bool { hosts.values.contains { $0.need > 0 } }

    mutating func tickRate(at now: Moment) -> [Action] {
        guard rate.limit != nil, !isExpired, !rate.isBusy else { return [] }
        guard rate.readAt.map({ now - $0 >= RateLease.interval }) ?? true else { return [] }
        rate.isBusy = true
        return [.readRate]
    }

    mutating func settleRate(at now: Moment) -> [Action] {
        guard let limit = rate.limit else {
            guard rate.granted != nil else { return [] }
            rate.lose()
            return [.limit(nil)] + hosts.keys.sorted().flatMap { settle($0, at: now) }
        }
        guard !isExpired, !rate.isBusy, rate.readAt != nil else { return tickRate(at: now) }
        var leases = rate.leases ?? Leases()
        let dead = Set(leases.holders.keys.filter { $0 != worker && signs.isDead($0) })
        leases.remove(dead)
        let mine = leases[worker]
        let need = rate.need(isWorking, among: leases.holders.count)
        let whole = Int(min(max(1, limit), 1e15))
        let fair = leases.fairPart(of: worker, need: need, of: whole)
        let held = mine?.held ?? 0
        let new = fair <= held ? fair : max(held, min(fair, whole - leases.elsewhere(than: worker)))
        var actions: [Action] = []
        // Less is moved first, then the others hear of it.
        if new < rate.granted ?? 0 { actions += grant(new, at: now) }
        let isNews =
            !dead.isEmpty || (mine == nil) != (need == 0) || Self.differ(new, held)
            || Self.differ(need, mine?.need ?? 0)
        guard isNews else {
            // What the bucket says; it may be from before a lost connection.
            return actions + (rate.granted == nil && held > 0 ? grant(min(new, held), at: now) : [])
        }
        leases.set(worker, need == 0 ? nil : Leases.Lease(held: new, need: need))
        rate.pending = leases
        rate.isBusy = true
        return actions + [.storeRate(leases, revision: rate.revision)]
    }

    mutating func noteRateStored(_ revision: UInt64, at now: Moment) -> [Action] {
        guard let stored = rate.pending else { return [] }
        rate.pending = nil
        rate.note(stored, revision, at: now)
        return isExpired ? [] : grant(stored[worker]?.held ?? 0, at: now)
    }

    private mutating func grant(_ part: Int, at now: Moment) -> [Action] {
        guard rate.granted != part else { return [] }
        let wasReady = rate.isReady
        rate.granted = part
        var actions: [Action] = part > 0 ? [.limit(Double(part))] : []
        if wasReady != rate.isReady { actions += hosts.keys.sorted().flatMap { settle($0, at: now) } }
        return actions
    }

    /// A change of less than 5 % is not worth a message.
    private static func differ(_ one: Int, _ other: Int) -> Bool { abs(one - other) > other / 20 }
}
