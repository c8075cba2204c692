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

/// What one worker knows of one host: its queue's use, the gate in the bucket, and what it has told its queue.
struct HostLease: Sendable {
    var use: HostUse
    /// As it was stored last, by whichever worker; `nil`: there is none.
    var gate: HostGate?
    var revision: UInt64?
    /// `gate` is current as far as is known.
    var isRead = false
    /// A read or a store is under way.
    var isBusy = false
    /// Stores in a row that another worker came before.
    var conflicts = 0
    /// What a store under way will have stored, and the refusals and requests for a pause of `use` that it takes into account.
    var pending: (gate: HostGate, refusals: Int, pauses: Int)?
    /// Window and refusals of the gate, and since when they are the same.
    private var mark: [Int] = []
    private(set) var changedAt: Moment?
    /// The last share that was told to the queue.
    private(set) var told: HostShare?
    /// The most places of the shares that the queue may still go by.
    private var mostTold = 0
    /// Refusals of `use` that were taken into account.
    var refusals: Int
    /// Requests for a pause of `use` that were taken into account.
    private(set) var pauses: Int
    /// Those of the gate that the queue knows of; `nil`: the gate was not read yet.
    private var knownPauses: Int?
    /// What the queue must still be told.
    private(set) var pauseToTell: Duration?
    /// Answers of `use` when the window or the part of this worker last changed.
    private var answersBefore: Int
    private var partBefore = 0
    /// Since when less is needed than the lease says; `nil`: it is not.
    var needsLessSince: Moment?
    /// When the gate was last read or stored.
    var readAt: Moment?

    init(_ use: HostUse) {
        self.use = use
        (refusals, pauses, answersBefore) = (use.refusals, use.pauses, use.answers)
    }

    /// Connections that the worker could use now.
    var need: Int { use.open + use.waiting }

    /// Connections that the queue has or may open before it hears of anything new.
    var floor: Int { max(use.open, mostTold) }

    /// The queue has reported.
    mutating func take(_ new: HostUse) {
        use = new
        if let told, new.share == told.number { mostTold = told.places }
    }

    /// It must be read before it is changed.
    mutating func forgetGate() { (isRead, isBusy, pending) = (false, false, nil) }

    /// The change is stored, with so many refusals and requests for a pause.
    mutating func endStore(_ refusals: Int, pauses: Int) {
        // This worker's own queue has closed the host already.
        if let known = pending?.gate.pauses, pauses > self.pauses { knownPauses = known }
        (isBusy, pending, conflicts) = (false, nil, 0)
        (self.refusals, self.pauses) = (refusals, pauses)
    }

    mutating func note(_ new: HostGate?, _ revision: UInt64?, part: Int, at now: Moment) {
        (gate, self.revision, isRead, readAt) = (new, revision, true, now)
        let mark = [new?.window ?? 1, new?.refusals ?? 0]
        // One that joins later does not know when the pause began.
        let known = knownPauses ?? new?.pauses ?? 0
        if let new, let pauses = new.pauses, pauses > known { pauseToTell = .seconds(new.pauseSeconds ?? 0) }
        knownPauses = max(known, new?.pauses ?? 0)
        if mark != self.mark || changedAt == nil { (self.mark, changedAt, answersBefore) = (mark, now, use.answers) }
        if part != partBefore { (partBefore, answersBefore) = (part, use.answers) }
    }

    /// The host has let in as many connections as the worker's part has: they are open now, or were since the part and the window
    /// are what they are.
    func isAnswered(_ part: Int) -> Bool {
        part > 0 && (use.accepted >= part || use.answers - answersBefore >= part)
    }

    /// - Returns: `nil`: the queue knows it already.
    mutating func tell(_ places: Int, elsewhere: Int, isEnforced: Bool) -> HostShare? {
        var share = HostShare(
            number: told?.number ?? 0, places: places, elsewhere: elsewhere, refusals: refusals,
            generation: gate?.refusals ?? 0, isEnforced: isEnforced)
        share.pause = pauseToTell
        pauseToTell = nil
        guard share != told else { return nil }
        share.number += 1
        mostTold = max(mostTold, places)
        told = share
        // It is told once.
        told?.pause = nil
        return share
    }
}
