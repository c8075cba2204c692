import WinchModel
import WinchProgress

/// When a level is tried, kept and given back.
extension SplitController {
    mutating func advance(to now: Moment) -> SplitDecision? {
        guard canSplit else { return nil }
        if let opensAt, opensAt <= now { self.opensAt = nil }
        raiseLimit(at: now)
        if let trial, trial.level > most { abandon(trial) }
        forgetOldRates(at: now)
        if measuredSince == nil, isComplete { beginMeasuring(at: now) }
        improveReference(at: now)
        dropBurst(at: now)
        if let returned = checkLevel(at: now) { return returned }
        guard let trial else {
            if mayTry(at: now), let rate = wholeRate(at: now) { begin(from: rate, at: now) }
            return nil
        }
        if trial.measuredSince == nil {
            guard isComplete else { return wait(trial, at: now) }
            beginMeasuring(at: now)
            self.trial?.measuredSince = now
            self.trial?.arrivedBefore = arrived
            if trial.undecidedSince == nil { self.trial?.undecidedSince = now }
            return nil
        }
        return judge(trial, at: now)
    }

    /// Until a new connection brings a byte, the line is as it was: what it brings tells more of the level below.
    private mutating func improveReference(at now: Moment) {
        guard var trial, !trial.isReferenceFixed, measuredSince != nil,
            isFar || trial.reference.noise > Self.uselessReference
        else { return }
        if connections.contains(where: { !trial.known.contains($0.key) && $0.value.firstByteAt != nil }) {
            trial.isReferenceFixed = true
        } else if let rate = wholeRate(at: now), rate.noise <= trial.reference.noise,
            rate.rate >= trial.reference.rate || trial.reference.noise > Self.uselessReference
        {
            // A lower rate may mean that the first lumps of the new ones are on their way.
            (trial.reference, trial.knownRate) = (rate, ownRate(at: now))
        }
        self.trial = trial
    }

    /// All wanted connections are there and bring bytes.
    private var isComplete: Bool {
        connections.count >= wanted && connections.values.allSatisfy { $0.firstByteAt != nil }
    }

    /// The measured state of the line ends here: rates from before do not count for what follows.
    mutating func remeasure(at now: Moment) {
        measuredSince = nil
        trial?.measuredSince = nil
        others.restart(at: now)
    }

    /// What a level is worth is compared with the line as it is now.
    private mutating func forgetOldRates(at now: Moment) {
        guard trial == nil else { return }
        if let until = holdsUntil, until <= now {
            holdsUntil = nil
            remeasure(at: now)
        } else if let since = measuredSince, (now - since).seconds > Self.oldest {
            remeasure(at: now)
        }
    }

    private mutating func beginMeasuring(at now: Moment) {
        (measuredSince, hasDroppedBurst) = (now, false)
        for number in connections.keys.sorted() {
            // What the newest have brought until now belongs to this measurement.
            if connections[number]?.meter.closed.count ?? 0 > 0 { connections[number]?.meter.restart(at: now) }
        }
        others.restart(at: now)
    }

    /// The rate of all connections to the host, or of those of other transfers and some of this one; `nil` before a byte came.
    private func wholeRate(of numbers: Set<Int>? = nil, at now: Moment) -> LevelRate? {
        var whole = LevelRate(rate: others.rate(at: now) ?? 0, variance: others.variance(at: now))
        for number in connections.keys.sorted() {
            guard let state = connections[number], numbers?.contains(number) != false else { continue }
            whole.rate += state.rate(at: now) ?? 0
            whole.variance += state.variance(at: now)
        }
        guard whole.rate > 0 else { return nil }
        // What ten milliseconds tell of the next ones is more than their number suggests: rates drift.
        let seconds = max(0.01, (now - (measuredSince ?? now)).seconds)
        let drift = Self.drift * whole.rate
        whole.variance += drift * drift * Self.shortestMeasure / seconds
        return whole
    }

    /// The rate of this transfer's connections, or of some of them.
    private func ownRate(of numbers: Set<Int>? = nil, at now: Moment) -> Double {
        connections.keys.sorted().reduce(0) { sum, number in
            numbers?.contains(number) == false ? sum : sum + (connections[number]?.rate(at: now) ?? 0)
        }
    }

    private func mayTry(at now: Moment) -> Bool {
        guard let measuredSince, isComplete, nextLevel > proven, opensAt == nil, holdsUntil ?? now <= now,
            !circumstances.isRateLimited, !circumstances.isHostBusy, let left = circumstances.left
        else { return false }
        let rate = ownRate(at: now)
        guard rate > 0, Double(left.bytes) / rate > Self.leastTimeLeft else { return false }
        let seconds = (now - measuredSince).seconds
        if isFar { return seconds >= timeForRhythm }
        let (least, most) =
            circumstances.isCeilingGiven
            ? (Self.firstBurst, Self.longestForNamedReference) : (Self.shortestMeasure, Self.longestForReference)
        guard isRhythmKnown, let rate = wholeRate(at: now), rate.noise <= Self.uselessReference else {
            return seconds >= most
        }
        return seconds >= least
    }

    /// A burst from buffers on the way, or from a server that makes up for lost time, tells nothing of the line: the measurement
    /// begins anew behind it.
    private mutating func dropBurst(at now: Moment) {
        guard trial == nil, !isFar, let since = measuredSince, !hasDroppedBurst,
            (now - since).seconds >= Self.longestForRhythm, isRhythmKnown, let rate = wholeRate(at: now),
            rate.noise > Self.uselessReference
        else { return }
        hasDroppedBurst = true
        for number in connections.keys.sorted() { connections[number]?.meter.restart(at: now) }
        others.restart(at: now)
    }

    /// Seconds to wait for the rhythm of the arrivals.
    private var timeForRhythm: Double { isFar ? Self.firstBurst : Self.longestForRhythm }

    /// Nothing can be learned in a time below a round trip, and each level costs some: the levels are tried one after the other,
    /// and all are judged together.
    private var isFar: Bool { connections.values.compactMap(\.delay).min() ?? 0 > Self.longestForRhythm }

    /// Each connection has shown two intervals between its lumps.
    private var isRhythmKnown: Bool { connections.values.allSatisfy { $0.meter.closed.count > 1 } }

    private var nextLevel: Int { circumstances.isCeilingGiven ? most : min(most, 2 * wanted) }

    private mutating func begin(from reference: LevelRate, at now: Moment) {
        trial = SplitTrial(
            base: proven, level: nextLevel, reference: reference,
            known: Set(connections.keys), knownRate: ownRate(at: now), beganAt: now)
        note = nil
    }

    private mutating func judge(_ trial: SplitTrial, at now: Moment) -> SplitDecision? {
        guard let since = trial.measuredSince, let rate = wholeRate(at: now) else { return nil }
        let seconds = (now - since).seconds
        // Where the user named the number, as soon as the host lets more in.
        if circumstances.isCeilingGiven || isFar && seconds >= timeForRhythm,
            let grown = growUndecided(trial, gain: nil, at: now)
        {
            return grown
        }
        if trial.reference.noise <= Self.uselessReference,
            isNoBetter(than: trial.reference.rate, since: since, arrived: trial.arrivedBefore, at: now)
        {
            return giveBack(trial, gain: (arrived - trial.arrivedBefore) / seconds / trial.reference.rate - 1, at: now)
        }
        let isLast = (now - (trial.undecidedSince ?? since)).seconds >= Self.longestMeasure
        guard isRhythmKnown || isLast else {
            // Lumps so far apart tell nothing for long: the next level is tried meanwhile, and all are judged together.
            return seconds >= timeForRhythm ? growUndecided(trial, gain: nil, at: now) : nil
        }
        guard seconds >= Self.shortestMeasure else { return nil }
        let isFull = isFull(trial, at: now)
        let (gain, error) = gain(rate, of: trial, isFull: isFull, at: now)
        if gain - Self.clearGain * error >= Self.leastGain || (isLast && gain >= Self.leastGain) {
            return keep(trial, gain: gain, at: now)
        }
        let isShared = isFull && gain < Self.leastGain && seconds >= Self.shortestForNoGain
        guard isLast || isShared || gain + Self.clearLoss * error < Self.leastGain else { return nil }
        // The others lost nothing to the new ones: the line is not full, and these only have a slow way.
        if !isFull, seconds >= Self.longestForRhythm, let grown = growUndecided(trial, gain: gain, at: now) {
            return grown
        }
        return isLast || seconds >= Self.shortestForNoGain ? giveBack(trial, gain: gain, at: now) : nil
    }

    /// How much better the whole rate is, as a fraction, than the line would be without the new connections, and the standard
    /// error of that.
    ///
    /// Those that were there before and lost nothing show it best, since they are measured at the same time; and where the user
    /// named the number, a reference that was hardly measured is none.
    private func gain(
        _ rate: LevelRate, of trial: SplitTrial, isFull: Bool, at now: Moment
    ) -> (gain: Double, error: Double) {
        let isReferenceUseless = trial.reference.noise > Self.uselessReference
        guard !isFull || isReferenceUseless && circumstances.isCeilingGiven,
            let known = wholeRate(of: trial.known, at: now)
        else { return rate.gain(over: trial.reference) }
        let added = LevelRate(rate: max(0, rate.rate - known.rate), variance: max(0, rate.variance - known.variance))
        let gain = added.rate / known.rate
        return (gain, gain * (added.noise * added.noise + known.noise * known.noise).squareRoot())
    }

    /// The connections that were there before have lost to the new ones.
    private func isFull(_ trial: SplitTrial, at now: Moment) -> Bool {
        // On a full line each gets its part; else they keep what they had. Half way between the two.
        let part = Double(trial.base) / Double(trial.level)
        return ownRate(of: trial.known, at: now) < (1 + part) / 2 * trial.knownRate
    }

    /// Tries the next level, and judges both together.
    private mutating func growUndecided(_ trial: SplitTrial, gain: Double?, at now: Moment) -> SplitDecision? {
        guard nextLevel > trial.level, let left = circumstances.left,
            Double(left.bytes) > ownRate(at: now) * Self.leastTimeLeft
        else { return nil }
        var next = trial
        (next.level, next.beganAt, next.measuredSince) = (nextLevel, now, nil)
        self.trial = next
        measuredSince = nil
        return SplitDecision(tried: trial.base + 1...trial.level, gain: gain, verdict: .undecided, level: next.level)
    }

    private mutating func keep(_ trial: SplitTrial, gain: Double, at now: Moment) -> SplitDecision {
        proven = trial.level
        self.trial = nil
        hold = Self.firstHold
        var next = check ?? LevelCheck()
        next.note(trial, at: now, arrived: arrived)
        check = next
        return SplitDecision(tried: trial.base + 1...trial.level, gain: gain, verdict: .kept, level: proven)
    }

    /// A level that was kept shows after a while what it is worth: arrivals in lumps, or buffers on the way, may have shown too
    /// much at first. The file goes back to the level that was best.
    private mutating func checkLevel(at now: Moment) -> SplitDecision? {
        guard trial == nil, let check, connections.count >= proven else { return nil }
        let seconds = (now - check.since).seconds
        guard seconds < Self.longestCheck, let best = check.best, best.level < proven else {
            self.check = nil
            return nil
        }
        guard isNoBetter(than: best.rate, since: check.since, arrived: check.arrived, at: now) else { return nil }
        self.check = nil
        let (last, rate) = (proven, (arrived - check.arrived) / seconds)
        (proven, measuredSince, note) = (best.level, nil, Self.moreDidNotHelp)
        hold = max(hold, Self.holdAfterCheck)
        holdsUntil = now + hold
        hold = min(Self.longestHold, hold * 2)
        return SplitDecision(
            tried: best.level + 1...last, gain: rate / best.rate - 1, verdict: .givenBack, level: best.level)
    }

    /// All that has come since, counted, is less than a kept level must bring. Arrivals in lumps make it too little at times, by
    /// less than what is worth a connection.
    private func isNoBetter(than rate: Double, since: Moment, arrived before: Double, at now: Moment) -> Bool {
        let seconds = (now - since).seconds
        let longest = connections.values.map(\.meter.longest).max() ?? 0
        return seconds >= max(Self.shortestCheck, Self.checkedIntervals * longest)
            && (arrived - before) / seconds < (1 + Self.leastGain) * rate
    }

    private mutating func giveBack(_ trial: SplitTrial, gain: Double, at now: Moment) -> SplitDecision {
        end(trial, at: now)
        note = Self.moreDidNotHelp
        return SplitDecision(tried: trial.base + 1...trial.level, gain: gain, verdict: .givenBack, level: proven)
    }

    /// Back to the level below, and no further trial for a while.
    mutating func end(_ trial: SplitTrial, at now: Moment) {
        proven = trial.base
        self.trial = nil
        measuredSince = nil
        check?.restart(at: now, arrived: arrived)
        // One that took long has cost more.
        let cost = Self.holdsPerCost * (now - (trial.undecidedSince ?? now)).seconds
        holdsUntil = now + max(hold, .seconds(cost))
        hold = min(Self.longestHold, hold * 2)
    }

    /// The trial cannot go on, and tells nothing.
    mutating func abandon(_ trial: SplitTrial) {
        proven = trial.base
        check?.restart(at: measuredSince ?? trial.beganAt, arrived: arrived)
        self.trial = nil
        measuredSince = nil
    }

    /// Not all connections have brought a byte.
    private mutating func wait(_ trial: SplitTrial, at now: Moment) -> SplitDecision? {
        let seconds = (now - trial.beganAt).seconds
        let moving = connections.values.count { $0.firstByteAt != nil }
        if moving == connections.count {
            // The queue opens no more: there is no piece for another.
            if seconds >= Self.longestForOpening { abandon(trial) }
            return nil
        }
        guard seconds >= Self.longestForAnswer else { return nil }
        // A host that takes a connection and does not answer it has too many, too.
        end(trial, at: now)
        // Those that bring bytes may stay; what they are worth shows the next trial.
        proven = max(trial.base, min(trial.level, moving))
        note = Self.moreDidNotHelp
        return SplitDecision(
            tried: min(proven + 1, trial.level)...trial.level, gain: nil, verdict: .refused(.silence), level: proven)
    }

    static let moreDidNotHelp = "more did not help"
    /// A level is kept only when it is better by this.
    static let leastGain = 0.05
    /// Standard errors that make a gain clear, and the lack of one: to give back wrongly costs the hold, to keep wrongly only a
    /// connection.
    static let clearGain = 2.5
    static let clearLoss = 2.5
    /// Seconds. Less than this is a burst from buffers on the way.
    static let shortestMeasure = 0.06
    static let firstBurst = 0.02
    static let shortestForNoGain = 0.2
    /// Seconds after which the rhythm of a lumpy line is not waited for.
    static let longestForRhythm = 0.12
    /// Without a reference all that the known connections lose to new ones would pass for a gain.
    static let longestForReference = 0.6
    /// The same where the user named the number: it is what the user expects to be opened soon.
    static let longestForNamedReference = 0.3
    static let longestMeasure = 2.0
    /// All that comes is counted for so many seconds, or intervals between its lumps.
    static let shortestCheck = 0.5
    static let longestCheck = 2.0
    static let checkedIntervals = 3.0
    /// The next trial comes after so many times as long as the last one took.
    static let holdsPerCost = 20.0
    /// The line has deceived once.
    static let holdAfterCheck = Duration.seconds(30)
    static let longestForAnswer = 4.0
    static let longestForOpening = 1.0
    /// Seconds after which a rate is measured anew.
    static let oldest = 5.0
    /// A standard error above this part of the rate.
    static let uselessReference = 0.5
    /// Seconds that the rest must take to be worth another connection.
    static let leastTimeLeft = 2.0
    /// The standard error of a rate that is measured for `shortestMeasure`, whatever its samples say.
    static let drift = 0.05
}
