package import WinchModel

/// One worker's part in the gates of all hosts and in the limit of its run. A pure machine: its actions read and store the values
/// in the bucket, and tell the queue what it may have.
package struct GateMachine: Sendable {
    package enum Event: Sendable {
        /// What the worker's queue has and wants.
        case used([HostUse])
        /// The gate of a host was read; `nil`: there is none.
        case read(String, HostGate?, revision: UInt64?)
        /// The gate of a host may have changed.
        case changed(String)
        /// This worker's change is stored.
        case stored(String, revision: UInt64)
        /// Another worker has changed it first, or whether it is stored is not known.
        case notStored(String)
        case rateRead(Leases?, revision: UInt64?)
        case rateStored(revision: UInt64)
        case rateNotStored
        /// The limit of the run, in bytes a second, and what this worker moves now.
        case limited(Double?), moved(Double)
        /// This worker's sign of life is stored, which was sent at this time.
        case signed(Moment)
        /// The revision of another worker's sign, which was asked for at this time, and whether its process is known to have ended.
        case seen(String, UInt64?, asked: Moment, hasEnded: Bool)
        /// The connection was lost for a while.
        case reconnected
        case tick
    }

    package enum Action: Hashable, Sendable {
        case watch(String), unwatch(String)
        case read(String, after: Duration)
        case store(HostGate, revision: UInt64?)
        case readRate
        case storeRate(Leases, revision: UInt64?)
        /// Stores this worker's sign of life.
        case sign
        case see(String)
        /// Tells the queue.
        case share(String, HostShare)
        /// The queue's limit; `nil`: none.
        case limit(Double?)
    }

    let worker: String
    /// Connections of all workers to one host, at most.
    let most: Int
    var hosts: [String: HostLease] = [:]
    var rate = RateLease()
    var signs = SignsOfLife()
    /// What this worker holds ends then.
    private var end: Moment?
    private var signedAt: Moment?
    /// It has told its queue that it holds nothing.
    private(set) var isExpired = true
    private var lookedAt: Moment?
    /// Its queue has ended.
    private var isLeaving = false

    /// Beforehand the queue is told to stop.
    private static let margin = Duration.milliseconds(500)
    /// A change may be missed; then it is found after this time.
    static let refresh = Duration.seconds(5)
    /// A lease stays for a moment without need: the next file may come at once.
    static let linger = Duration.seconds(1)
    /// Others' signs are asked for so often, for so many at a time.
    private static let look = (interval: Duration.seconds(1), count: 8)

    /// For the pauses after conflicts.
    private var random: SplitMix64

    package init(worker: String, most: Int, seed: UInt64 = 0) {
        (self.worker, self.most, random) = (worker, max(1, most), SplitMix64(seed: seed))
    }

    /// Of workers that change a value together one succeeds: the others do not all try again together.
    mutating func pause(after conflicts: Int) -> Duration {
        guard conflicts > 1 else { return .zero }
        return .milliseconds(1 << min(conflicts, 9)) * Double.random(in: 0..<1, using: &random)
    }

    package mutating func apply(_ event: Event, at now: Moment) -> [Action] {
        if isLeaving { return leave(after: event) }
        switch event {
        case .used(let uses): return take(uses, at: now)
        case .read(let host, let gate, let revision):
            hosts[host]?.isBusy = false
            hosts[host]?.pending = nil
            let part = gate?.leases[worker]?.held ?? 0
            hosts[host]?.note(gate, revision, part: part, at: now)
            return settle(host, at: now)
        case .changed(let host):
            hosts[host]?.isRead = false
            return settle(host, at: now)
        case .stored(let host, let revision):
            noteStored(host, revision, at: now)
            return settle(host, at: now)
        case .notStored(let host):
            hosts[host]?.forgetGate()
            hosts[host]?.conflicts += 1
            return settle(host, at: now)
        case .rateRead(let leases, let revision):
            rate.note(leases, revision, at: now)
            return settleRate(at: now)
        case .rateStored(let revision): return noteRateStored(revision, at: now)
        case .rateNotStored:
            (rate.isBusy, rate.pending) = (false, nil)
            return []
        case .limited(let limit):
            rate.limit = limit
            return settleRate(at: now)
        case .moved(let perSecond):
            rate.moving = perSecond
            return []
        case .signed(let sent):
            let isFirst = isExpired
            end = max(end ?? sent, sent + SignsOfLife.lifetime)
            isExpired = end.map { now + Self.margin >= $0 } ?? true
            return isFirst && !isExpired ? settleAll(at: now) : []
        case .seen(let other, let revision, let asked, let hasEnded):
            signs.note(other, revision, asked: asked, hasEnded: hasEnded, at: now)
            guard hasEnded else { return [] }
            return settleAll(at: now)
        case .reconnected:
            signs.restart()
            for host in hosts.keys { hosts[host]?.forgetGate() }
            (rate.isBusy, rate.pending) = (false, nil)
            return settleAll(at: now)
        case .tick: return tick(at: now)
        }
    }

    /// What it held is on its way to the others.
    package var isGivingBack: Bool { isLeaving && !hosts.isEmpty }

    /// It has or wants something that other workers must know of.
    private var isInterested: Bool {
        rate.limit != nil || hosts.values.contains { $0.need > 0 || $0.gate?.leases[worker] != nil }
    }

    private mutating func take(_ uses: [HostUse], at now: Moment) -> [Action] {
        var actions: [Action] = []
        for use in uses {
            if hosts[use.host] == nil {
                guard use.open + use.waiting > 0 else { continue }
                hosts[use.host] = HostLease(use)
                actions.append(.watch(use.host))
                if isExpired { actions += signIfDue(at: now) }
            } else {
                guard hosts[use.host]?.use != use else { continue }
                hosts[use.host]?.take(use)
            }
            actions += settle(use.host, at: now)
        }
        return actions
    }

    private mutating func signIfDue(at now: Moment) -> [Action] {
        guard signedAt.map({ now - $0 >= SignsOfLife.interval }) ?? true else { return [] }
        signedAt = now
        return [.sign]
    }

    private mutating func settleAll(at now: Moment) -> [Action] {
        hosts.keys.sorted().flatMap { settle($0, at: now) }
    }

    private mutating func tick(at now: Moment) -> [Action] {
        var actions = isInterested ? signIfDue(at: now) : []
        if !isExpired, let end, now + Self.margin >= end { actions += expire() }
        for host in hosts.keys.sorted() {
            guard let lease = hosts[host] else { continue }
            let age = lease.readAt.map { now - $0 } ?? .zero
            if age >= Self.refresh, !lease.isBusy { hosts[host]?.isRead = false }
            if lease.need == 0, lease.isRead, !lease.isBusy, lease.gate?.leases[worker] == nil, lease.floor == 0 {
                hosts[host] = nil
                actions.append(.unwatch(host))
            } else {
                actions += settle(host, at: now)
            }
        }
        return actions + tickRate(at: now) + look(at: now)
    }

    /// This worker could not tell the others for too long that it lives: they may take what it holds.
    private mutating func expire() -> [Action] {
        isExpired = true
        var actions: [Action] = []
        for host in hosts.keys.sorted() {
            hosts[host]?.isRead = false
            if let share = hosts[host]?.tell(0, elsewhere: 0, isEnforced: true) { actions.append(.share(host, share)) }
        }
        rate.lose()
        return actions
    }

    /// Asks for the signs of those who hold what this worker lacks.
    private mutating func look(at now: Moment) -> [Action] {
        guard !isExpired, lookedAt.map({ now - $0 >= Self.look.interval }) ?? true else { return [] }
        lookedAt = now
        var rivals: Set<String> = []
        for lease in hosts.values {
            guard let gate = lease.gate, lease.need > gate.leases[worker]?.held ?? 0 else { continue }
            for (other, part) in gate.leases.holders where part.held > 0 || part.need > 0 { rivals.insert(other) }
        }
        rivals.formUnion(rate.rivals)
        rivals.remove(worker)
        signs.keep(only: rivals)
        return rivals.shuffled().prefix(Self.look.count).map { .see($0) }
    }

    /// All that the worker holds goes to the others, after the end of its queue.
    package mutating func giveBack() -> [Action] {
        isLeaving = true
        var actions: [Action] = []
        for (host, lease) in hosts.sorted(by: { $0.key < $1.key }) {
            if lease.isBusy {
                actions.append(.read(host, after: .zero))
            } else if let gate = without(lease.gate) {
                actions.append(.store(gate, revision: lease.revision))
            } else {
                hosts[host] = nil
            }
        }
        if var leases = rate.leases, leases[worker] != nil {
            leases.set(worker, nil)
            actions.append(.storeRate(leases, revision: rate.revision))
        }
        return actions
    }

    /// Others may change a gate first, above all when several workers leave together.
    private mutating func leave(after event: Event) -> [Action] {
        switch event {
        case .stored(let host, _): hosts[host] = nil
        case .notStored(let host):
            hosts[host]?.conflicts += 1
            return [.read(host, after: pause(after: hosts[host]?.conflicts ?? 0))]
        case .read(let host, let gate, let revision):
            if let gate = without(gate) { return [.store(gate, revision: revision)] }
            hosts[host] = nil
        default: break
        }
        return []
    }

    /// - Returns: `nil` when this worker holds nothing of it.
    private func without(_ gate: HostGate?) -> HostGate? {
        guard var gate, gate.leases[worker] != nil else { return nil }
        gate.leases.set(worker, nil)
        gate.writer = worker
        return gate
    }
}

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
            return [.limit(nil)] + settleAll(at: now)
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
        if wasReady != rate.isReady { actions += settleAll(at: now) }
        return actions
    }

    /// A change of less than 5 % is not worth a message.
    private static func differ(_ one: Int, _ other: Int) -> Bool { abs(one - other) > other / 20 }
}

/// What one worker knows of the limit of its run: its part of the bytes a second.
struct RateLease: Sendable {
    /// Of all workers together; `nil`: none.
    var limit: Double?
    /// What this worker moves.
    var moving = 0.0
    private(set) var leases: Leases?
    private(set) var revision: UInt64?
    var isBusy = false
    var pending: Leases?
    /// What the queue may move; `nil`: it was not told yet.
    var granted: Int?
    var readAt: Moment?

    /// Its parts are read and changed so often.
    static let interval = Duration.seconds(1)
    /// A worker that moves so much of its part could use more.
    private static let busyPart = 0.75
    private static let headroom = 1.25

    /// Nothing may move before the part is known.
    var isReady: Bool { limit == nil || granted ?? 0 > 0 }

    mutating func note(_ new: Leases?, _ revision: UInt64?, at now: Moment) {
        (leases, self.revision, isBusy, readAt) = (new, revision, false, now)
    }

    mutating func lose() { (granted, isBusy, pending) = (nil, false, nil) }

    /// What this worker could use. One that is slow by itself leaves the rest to others, but for a part from which it can grow.
    func need(_ isWorking: Bool, among workers: Int) -> Int {
        guard isWorking, let limit else { return 0 }
        guard let granted, granted > 0, moving < Self.busyPart * Double(granted) else { return Int(min(limit, 1e15)) }
        return max(1, Int(min(1e15, max(moving * Self.headroom, limit / Double(4 * max(1, workers))))))
    }

    /// Workers that hold a part.
    var rivals: Set<String> { limit == nil ? [] : Set((leases ?? Leases()).holders.keys) }
}
