import WinchModel

/// The part of one worker in the gate of one host.
extension GateMachine {
    /// Reads the gate, changes it, or tells the queue what it may have: whatever is next.
    mutating func settle(_ host: String, at now: Moment) -> [Action] {
        guard !isExpired, let lease = hosts[host], !lease.isBusy else { return [] }
        guard lease.isRead else {
            hosts[host]?.isBusy = true
            return [.read(host, after: pause(after: lease.conflicts))]
        }
        var gate = lease.gate ?? HostGate(host: host)
        let held = gate.leases[worker]?.held ?? 0
        var mustStore = takeRefusal(lease, &gate)
        mustStore = takePause(lease, &gate) || mustStore
        mustStore = removeDead(lease, &gate) || mustStore
        if lease.need > 0, lease.isAnswered(held) { gate.leases.noteAnswered(worker) }
        // Only a worker that needs more widens the window.
        let isWanted = lease.need > held || gate.leases.isWanted(besides: worker)
        let age = lease.changedAt.map { now - $0 } ?? .zero
        let hasGrown = isWanted && gate.grow(atMost: most, age: age)
        let isNews = gate.known == nil && gate.window < most && isWanted && gate != lease.gate
        let new = part(of: lease, held: held, in: gate, at: now)
        var actions: [Action] = []
        // First the queue gives up places, then the bucket hears of it.
        if new < held {
            actions += tell(host, new, in: gate, isEnforced: false)
        } else if lease.gate?.leases[worker] == nil, new < lease.floor {
            // The others took this worker for dead, and what it held.
            actions += tell(host, new, in: gate, isEnforced: true)
        }
        let stored = new < held ? min(held, max(new, hosts[host]?.floor ?? held)) : new
        mustStore =
            mustStore || hasGrown || isNews || stored != held || isNeedNews(lease, stored, in: gate, at: now)
        guard mustStore else { return actions + tell(host, new, in: gate, isEnforced: false) }
        let isOver = lease.need == 0 && stored == 0
        var mine = gate.leases[worker] ?? Leases.Lease(held: 0, need: 0)
        if stored != held { mine.isAnswered = false }
        (mine.held, mine.need) = (stored, lease.need)
        gate.leases.set(worker, isOver ? nil : mine)
        gate.writer = worker
        guard gate != lease.gate else { return actions + tell(host, new, in: gate, isEnforced: false) }
        hosts[host]?.isBusy = true
        hosts[host]?.pending = (gate, lease.use.refusals, lease.use.pauses)
        return actions + [.store(gate, revision: lease.revision)]
    }

    /// Halves the window when the host has refused a connection, unless that was known when the connection began.
    private mutating func takeRefusal(_ lease: HostLease, _ gate: inout HostGate) -> Bool {
        guard lease.use.refusals > lease.refusals else { return false }
        guard gate.refusals <= lease.told?.generation ?? 0 else {
            hosts[gate.host]?.refusals = lease.use.refusals
            return false
        }
        gate.refuse()
        return true
    }

    /// The host has asked this worker for a pause, which all take.
    private func takePause(_ lease: HostLease, _ gate: inout HostGate) -> Bool {
        guard lease.use.pauses > lease.pauses else { return false }
        gate.pause(for: lease.use.pause)
        return true
    }

    private func removeDead(_ lease: HostLease, _ gate: inout HostGate) -> Bool {
        guard lease.need > gate.leases[worker]?.held ?? 0 else { return false }
        let dead = Set(gate.leases.holders.keys.filter { $0 != worker && signs.isDead($0) })
        gate.leases.remove(dead)
        return !dead.isEmpty
    }

    /// How many connections this worker should hold.
    private mutating func part(of lease: HostLease, held: Int, in gate: HostGate, at now: Moment) -> Int {
        let (need, places) = (lease.need, gate.places(atMost: most))
        if need == 0 {
            hosts[gate.host]?.needsLessSince = lease.needsLessSince ?? now
            let isLong = now - (lease.needsLessSince ?? now) >= Self.linger
            return isLong || gate.leases.isWanted(besides: worker) || gate.leases.held > places ? 0 : held
        }
        hosts[gate.host]?.needsLessSince = nil
        let fair = gate.leases.fairPart(of: worker, need: need, of: places)
        let free = max(0, places - gate.leases.elsewhere(than: worker))
        guard fair < held else { return max(held, min(fair, free)) }
        // Without need by others nothing is given back but what the gate has no place for.
        return gate.leases.isWanted(besides: worker) || gate.leases.held > places ? fair : held
    }

    /// The others must know what this worker needs, so that they give back what is more than their parts.
    private func isNeedNews(_ lease: HostLease, _ part: Int, in gate: HostGate, at now: Moment) -> Bool {
        let known = gate.leases[worker]
        if lease.need == 0 { return known != nil && part == 0 }
        guard lease.need != known?.need ?? 0 else { return false }
        // Too much: they would give back for nothing.
        if let known, lease.need < known.need { return known.need > known.held }
        guard lease.need > part else { return false }
        var after = gate.leases
        after.set(worker, Leases.Lease(held: part, need: lease.need))
        let places = gate.places(atMost: most)
        return after.holders.contains { other, lease in
            other != worker && lease.held > after.fairPart(of: other, need: lease.need, of: places)
        }
    }

    mutating func noteStored(_ host: String, _ revision: UInt64, at now: Moment) {
        guard let pending = hosts[host]?.pending else { return }
        hosts[host]?.endStore(pending.refusals, pauses: pending.pauses)
        let part = pending.gate.leases[worker]?.held ?? 0
        let isCurrent = hosts[host]?.isRead ?? false
        hosts[host]?.note(pending.gate, revision, part: part, at: now)
        // Another worker may have changed it since.
        if !isCurrent { hosts[host]?.isRead = false }
    }

    /// - Parameter places: that this worker is to use; never more than it holds.
    private mutating func tell(_ host: String, _ places: Int, in gate: HostGate, isEnforced: Bool) -> [Action] {
        let held = hosts[host]?.gate?.leases[worker]?.held ?? 0
        let places = rate.isReady ? isEnforced ? places : min(places, held) : 0
        // One that waits for a place may have been given one since the gate was read.
        let elsewhere = max(gate.leases.elsewhere(than: worker), gate.leases.isWanted(besides: worker) ? 1 : 0)
        let share = hosts[host]?.tell(places, elsewhere: elsewhere, isEnforced: isEnforced)
        return share.map { [.share(host, $0)] } ?? []
    }
}
