package import WinchModel
import WinchProgress

/// How many connections one file should have: 1, 2, 4, 8, as long as the whole rate of the host becomes at least 5 % better.
///
/// One for each transfer. It is told what happens (`apply`) and what bounds it (`change`), and says how many connections are
/// wanted. The next level is begun only when all connections of this one are let in; the first refusal ends the growth.
package struct SplitController: Sendable {
    /// `--split auto`. More than eight gain little and are what servers ban.
    package static let automatic = 8

    /// Connections that are known to help, or the only one.
    package internal(set) var proven = 1
    /// What the host was found to allow, for one file.
    package internal(set) var limit: Int?
    /// It was found by this file.
    package internal(set) var isLimitNew = false
    /// Nothing may be opened before: the host refuses all connections.
    package internal(set) var opensAt: Moment?
    /// Why there are not more, for the user; `nil`: they were not needed, or are being tried.
    package internal(set) var note: String?

    var circumstances = SplitCircumstances(left: nil, slots: 1, ceiling: 1)
    var trial: SplitTrial?
    var connections: [Int: ConnectionState] = [:]
    /// Of the other transfers from this host.
    var others: ArrivalMeter
    /// Since when the connections are what they are; `nil`: some have not brought a byte.
    var measuredSince: Moment?
    /// A level was kept after a short measurement: whether it is better is seen once more a little later.
    var check: LevelCheck?
    /// Bytes that came from the host.
    var arrived = 0.0
    /// What came first in the present measurement counts no more.
    var hasDroppedBurst = false
    var canSplit: Bool
    /// No level is tried before.
    var holdsUntil: Moment?
    var hold = Self.firstHold
    var backoff = Self.firstBackoff
    /// When a connection was last refused.
    var refusedAt: Moment?
    /// Bans since a connection was let in.
    private var bansInRow = 0
    /// Refusals below `limit` since it was last reached.
    var refusalsBelowLimit = 0
    /// Connections that were let in when another was reset, if no more have been let in since.
    var resetBeside: Int?
    /// When one connection more than `limit` is tried; `nil`: it is tried, or none is.
    var limitRisesAt: Moment?
    var limitHold = Self.firstLimitHold
    /// `limit` is one more than the host was found to allow.
    var isRisen = false

    struct ConnectionState: Sendable {
        var openedAt: Moment
        var isAnswered = false
        /// Of the present measurement.
        var meter: ArrivalMeter
        var bytes = 0.0
        var firstByteAt: Moment?

        /// Bytes a second. One whose lumps are so far apart that this measurement has no interval yet: of all its time.
        func rate(at now: Moment) -> Double? {
            if meter.closed.count > 0 { return meter.rate(at: now) }
            return firstByteAt.map { bytes / max(0.01, (now - $0).seconds) }
        }

        func variance(at now: Moment) -> Double {
            if meter.closed.count > 0 { return meter.variance(at: now) }
            return rate(at: now).map { $0 * $0 } ?? 0
        }

        /// Seconds from its begin to the first byte.
        var delay: Double? { firstByteAt.map { ($0 - openedAt).seconds } }
    }

    /// - Parameters:
    ///   - mayRepeatRequest: false for a URL that may be valid for one request: it is never split.
    ///   - allowance: connections for one file that the host was found to allow; `nil`: it is not known.
    package init(mayRepeatRequest: Bool, allowance: Int? = nil, at now: Moment) {
        canSplit = mayRepeatRequest
        limit = allowance.map { max(1, $0) }
        if limit != nil { limitRisesAt = now + Self.firstLimitHold }
        others = ArrivalMeter(at: now)
    }

    /// Connections that the transfer should have now, at least 1. Fewer than it has: those opened last are given back.
    package var wanted: Int { max(1, min(trial?.level ?? proven, most)) }

    /// Connections that the transfer may have before long, at least `wanted`: more are tried, unless they are known not to help.
    /// The slots do not bound it while there are free ones, since a host that answers gets more.
    package var expected: Int {
        let isFree = holdsUntil == nil && !circumstances.isRateLimited && !circumstances.isHostBusy
        guard canSplit, isTrying || isFree && circumstances.slots > wanted else { return wanted }
        return max(wanted, min(circumstances.ceiling, limit ?? .max))
    }

    /// It is to have more connections than there are places.
    var lacksPlaces: Bool {
        canSplit && min(trial?.level ?? proven, circumstances.ceiling, limit ?? .max) > circumstances.slots
    }

    /// It could use a place of another transfer.
    var wantsPlaces: Bool {
        guard canSplit, !lacksPlaces else { return lacksPlaces }
        let isFree = holdsUntil == nil && !circumstances.isRateLimited && !circumstances.isHostBusy
        return isFree && proven >= circumstances.slots && proven < min(circumstances.ceiling, limit ?? .max)
    }

    /// It tries a level: no other transfer from this host should.
    package var isTrying: Bool { trial != nil }

    /// When `change` is due; `nil`: not before the next event.
    package func wakesAt(after now: Moment) -> Moment? {
        guard canSplit else { return nil }
        let due = [isTrying || check != nil || measuredSince != nil ? now + Self.step : nil, opensAt]
        return due.compactMap { $0 }.filter { $0 > now }.min()
    }

    /// - Returns: what was concluded, for the log.
    package mutating func change(_ circumstances: SplitCircumstances, at now: Moment) -> [SplitDecision] {
        self.circumstances = circumstances
        return [advance(to: now)].compactMap { $0 }
    }

    /// - Returns: what was concluded, for the log.
    package mutating func apply(_ event: SplitEvent, at now: Moment) -> [SplitDecision] {
        var decision: SplitDecision?
        switch event {
        case .opened(let number): connections[number] = ConnectionState(openedAt: now, meter: ArrivalMeter(at: now))
        case .answered(let number):
            connections[number]?.isAnswered = true
            (opensAt, backoff, bansInRow) = (nil, Self.firstBackoff, 0)
            noteAccepted(at: now)
        case .moved(let number?, let count): move(number, count.bytes, at: now)
        case .moved(nil, let count):
            others.take(count.bytes, at: now)
            arrived += Double(max(0, count.bytes))
        case .refused(let number, let refusal): decision = refuse(number, refusal, at: now)
        case .lost(let number): lose(number, at: now)
        case .closed(let number): connections[number] = nil
        case .unsplittable: (canSplit, trial, proven, note) = (false, nil, 1, nil)
        }
        return [decision, advance(to: now)].compactMap { $0 }
    }

    /// The user wants this many: they are opened at once, without a trial, and a hold ends.
    mutating func demand(_ count: Int, at now: Moment) {
        guard canSplit else { return }
        (proven, trial, check, holdsUntil, note) = (max(1, count), nil, nil, nil, nil)
        remeasure(at: now)
    }

    /// The most connections by everything but their use.
    var most: Int { canSplit ? max(1, min(circumstances.ceiling, circumstances.slots, limit ?? .max)) : 1 }

    /// Those that the host has let in.
    var accepted: Int { connections.values.count(where: \.isAnswered) }

    private mutating func move(_ number: Int, _ bytes: Int64, at now: Moment) {
        guard bytes > 0 else { return }
        guard var state = connections[number] else { return }
        state.isAnswered = true
        state.firstByteAt = state.firstByteAt ?? now
        state.bytes += Double(bytes)
        arrived += Double(bytes)
        state.meter.take(bytes, at: now)
        connections[number] = state
    }

    /// A tick while something is measured.
    static let step = Duration.milliseconds(20)
    /// After a level that brought nothing; twice as long after each further one.
    static let firstHold = Duration.seconds(5)
    static let longestHold = Duration.seconds(600)
    /// After a refusal; twice as long after each further one.
    static let firstLimitHold = Duration.seconds(15)
    static let longestLimitHold = Duration.seconds(600)
    /// After all connections were refused; twice as long each time.
    static let firstBackoff = Duration.seconds(1)
    static let longestBackoff = Duration.seconds(30)
    /// Two minutes in all.
    static let mostBansInRow = 8
}

/// What a host does not allow.
extension SplitController {
    mutating func refuse(_ number: Int, _ refusal: SplitRefusal, at now: Moment) -> SplitDecision? {
        guard connections.removeValue(forKey: number) != nil else { return nil }
        let wasTrying = trial
        let before = wasTrying?.base ?? proven
        guard accepted > 0 || wasTrying != nil || refusedAt != nil || proven > 1 else { return nil }
        guard accepted > 0 || bansInRow < Self.mostBansInRow else {
            // That is no ban for too many connections any more, but what the server says to one.
            (refusedAt, opensAt) = (nil, nil)
            return nil
        }
        (refusedAt, check) = (now, nil)
        remeasure(at: now)
        if accepted == 0 { return ban(below: before, refusal, at: now) }
        // A connection opened for one that has just ended may be refused because the host has not seen the end yet.
        if wasTrying == nil, accepted < proven, refusalsBelowLimit == 0 {
            refusalsBelowLimit = 1
            opensAt = now + Self.firstBackoff
            return nil
        }
        if refusal == .noConnection, resetBeside.map({ accepted > $0 }) ?? true {
            // Once may be chance: it is tried again.
            resetBeside = accepted
            if let wasTrying { abandon(wasTrying) }
            proven = max(1, min(proven, accepted))
            holdsUntil = now + Self.firstBackoff
            return nil
        }
        learn(accepted, isOfHost: refusal.isOfHost)
        limitRisesAt = refusal.isOfHost ? now + limitHold : nil
        limitHold = min(Self.longestLimitHold, limitHold * 2)
        trial = nil
        proven = max(1, min(wasTrying?.level ?? proven, accepted))
        note = refusal.isOfHost ? Self.serverAllows(proven) : "the URL may be valid only once"
        let last = max(proven + 1, wasTrying?.level ?? proven + 1)
        return SplitDecision(tried: proven + 1...last, gain: nil, verdict: .refused(refusal), level: proven)
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
            note = Self.serverAllows(accepted)
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
        bansInRow += 1
        holdsUntil = now + Self.holdAfterBan
        note = limit.map(Self.serverAllows)
        return SplitDecision(tried: tried, gain: nil, verdict: .refused(refusal), level: 1)
    }

    private static func serverAllows(_ connections: Int) -> String { "the server allows \(connections)" }

    /// Seconds after a refusal in which lost connections belong to it.
    static let banWindow = 5.0
    /// After a ban a second connection is tried late, and never more than were served before it.
    static let holdAfterBan = Duration.seconds(30)
}

/// More connections than are known to help.
struct SplitTrial: Sendable {
    /// Connections before, which are known to help.
    let base: Int
    /// Connections with those that are tried.
    var level: Int
    /// The rate at `base`; it is measured on until the first of the new connections brings a byte.
    var reference: LevelRate
    /// The connections at `base`, and their rate without those of other transfers, in bytes a second.
    let known: Set<Int>
    var knownRate: Double
    /// One of the new connections has brought a byte.
    var isReferenceFixed = false
    /// When the last of the levels above `base` was begun.
    var beganAt: Moment
    /// When all its connections had brought a byte; `nil`: not yet.
    var measuredSince: Moment?
    /// Bytes that had come from the host by then.
    var arrivedBefore = 0.0
    /// When the first level above `base` was complete: a decision is due some time after, even if it was never clear.
    var undecidedSince: Moment?
}

/// What the levels below the one that was kept brought, until that has been checked against them.
struct LevelCheck: Sendable {
    /// Rates in bytes a second.
    private var below: [(level: Int, rate: Double)] = []
    /// When the last level was kept.
    private(set) var since = Moment(nanoseconds: 0)
    /// Bytes that had come from the host by then.
    private(set) var arrived = 0.0

    /// A level was kept.
    mutating func note(_ trial: SplitTrial, at now: Moment, arrived: Double) {
        (since, self.arrived) = (now, arrived)
        below.removeAll { $0.level >= trial.base }
        // What was hardly measured tells nothing.
        guard trial.reference.noise <= SplitController.uselessReference else { return }
        below.append((trial.base, trial.reference.rate))
    }

    /// A further level was given back.
    mutating func restart(at now: Moment, arrived: Double) { (since, self.arrived) = (now, arrived) }

    /// The lowest of the levels whose rates are as good as the best; `nil`: none was measured.
    var best: (level: Int, rate: Double)? {
        guard let most = below.map(\.rate).max() else { return nil }
        return below.first { (1 + SplitController.leastGain) * $0.rate >= most }
    }
}

/// The whole rate of a host while one file had a certain number of connections.
struct LevelRate: Sendable {
    /// Bytes a second.
    var rate: Double
    /// The square of the standard error of `rate`.
    var variance: Double

    /// The standard error as a fraction of the rate.
    var noise: Double { rate > 0 ? variance.squareRoot() / rate : 0 }

    /// How much better it is than `below`, as a fraction, and the standard error of that.
    func gain(over below: LevelRate) -> (gain: Double, error: Double) {
        guard below.rate > 0 else { return (rate > 0 ? .infinity : 0, 0) }
        let ratio = rate / below.rate
        return (ratio - 1, ratio * (noise * noise + below.noise * below.noise).squareRoot())
    }
}
