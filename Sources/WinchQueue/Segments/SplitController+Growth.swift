import WinchModel

/// When a level is tried, kept and given back.
extension SplitController {
    mutating func advance(to now: Moment) -> [SplitDecision] {
        guard canSplit else { return [] }
        if let opensAt, opensAt <= now { self.opensAt = nil }
        if measuredSince == nil, isComplete { beginMeasuring(at: now) }
        guard let trial else {
            if mayTry(at: now), let rate = wholeRate(at: now) { begin(from: rate, at: now) }
            return []
        }
        if trial.measuredSince == nil {
            guard isComplete else { return abandonUnanswered(trial, at: now) }
            beginMeasuring(at: now)
            self.trial?.measuredSince = now
            if trial.undecidedSince == nil { self.trial?.undecidedSince = now }
            return []
        }
        return judge(trial, at: now)
    }

    /// All wanted connections are there and bring bytes.
    private var isComplete: Bool {
        connections.count >= wanted && connections.values.allSatisfy(\.hasMoved)
    }

    /// The measured state of the line ends here: rates from before do not count for what follows.
    mutating func remeasure(at now: Moment) {
        measuredSince = nil
        trial?.measuredSince = nil
        others.restart(at: now)
    }

    private mutating func beginMeasuring(at now: Moment) {
        measuredSince = now
        for number in connections.keys.sorted() {
            guard var state = connections[number] else { continue }
            if state.meter.closed.count > 0 || state.earlier != nil {
                state.earlier = state.meter.closed.rate ?? state.earlier
                state.meter.restart(at: now)
            }
            connections[number] = state
        }
        others.restart(at: now)
    }

    /// The rate of all connections to the host; `nil` before a byte came.
    func wholeRate(at now: Moment) -> LevelRate? {
        var whole = LevelRate(rate: others.rate(at: now) ?? 0, variance: others.variance(at: now))
        for number in connections.keys.sorted() {
            guard let state = connections[number] else { continue }
            if state.meter.closed.count > 0 || state.earlier == nil {
                whole.rate += state.meter.rate(at: now) ?? 0
                whole.variance += state.meter.variance(at: now)
            } else if let earlier = state.earlier {
                whole.rate += earlier
                whole.variance += earlier * earlier / 4
            }
        }
        guard whole.rate > 0 else { return nil }
        // What ten milliseconds tell of the next ones is more than their number suggests: rates drift.
        let seconds = max(0.01, (now - (measuredSince ?? now)).seconds)
        let drift = Self.drift * whole.rate
        whole.variance += drift * drift * Self.shortestMeasure / seconds
        return whole
    }

    /// The rate of this transfer's connections.
    private func ownRate(at now: Moment) -> Double {
        connections.values.reduce(0) { $0 + ($1.meter.rate(at: now) ?? $1.earlier ?? 0) }
    }

    private func mayTry(at now: Moment) -> Bool {
        guard let measuredSince, nextLevel > proven, opensAt == nil, holdsUntil ?? now <= now,
            !circumstances.isRateLimited, !circumstances.isHostBusy, let left = circumstances.left
        else { return false }
        let rate = ownRate(at: now)
        guard rate > 0, Double(left.bytes) / rate > Self.leastTimeLeft else { return false }
        let seconds = (now - measuredSince).seconds
        guard seconds >= Self.shortestMeasure else { return false }
        return isRhythmKnown || seconds >= Self.longestForRhythm
    }

    /// Each connection has shown two intervals between its lumps.
    private var isRhythmKnown: Bool { connections.values.allSatisfy { $0.meter.closed.count > 1 } }

    private var nextLevel: Int { min(most, 2 * wanted) }

    private mutating func begin(from reference: LevelRate, at now: Moment) {
        trial = SplitTrial(base: proven, level: nextLevel, reference: reference, beganAt: now)
        note = nil
    }

    private mutating func judge(_ trial: SplitTrial, at now: Moment) -> [SplitDecision] {
        guard let since = trial.measuredSince, let rate = wholeRate(at: now) else { return [] }
        let seconds = (now - since).seconds
        guard seconds >= Self.shortestMeasure else { return [] }
        let (gain, error) = rate.gain(over: trial.reference)
        let isLast = (now - (trial.undecidedSince ?? since)).seconds >= Self.longestMeasure
        if isRhythmKnown || isLast {
            if gain - Self.clearGain * error >= Self.leastGain || (isLast && gain >= Self.leastGain) {
                return keep(trial, gain: gain, at: now)
            }
            let isClear = seconds >= Self.shortestForNoGain && gain + Self.clearLoss * error < Self.leastGain
            if isClear && !isRising(at: now) || isLast { return giveBack(trial, gain: gain, at: now) }
            return []
        }
        // Lumps so far apart tell nothing for long: the next level is tried meanwhile, and all are judged together.
        guard seconds >= Self.longestForRhythm, nextLevel > trial.level, isWorthGrowing(at: now) else { return [] }
        var next = trial
        (next.level, next.beganAt, next.measuredSince) = (nextLevel, now, nil)
        self.trial = next
        measuredSince = nil
        return [
            SplitDecision(
                tried: trial.base + 1...trial.level, gain: nil, verdict: .undecided, level: next.level)
        ]
    }

    private func isWorthGrowing(at now: Moment) -> Bool {
        guard let left = circumstances.left else { return false }
        return Double(left.bytes) > ownRate(at: now) * Self.leastTimeLeft
    }

    /// The newest connections are still in their slow start: the last part of the measurement is quicker than the whole.
    private func isRising(at now: Moment) -> Bool { false }

    private mutating func keep(_ trial: SplitTrial, gain: Double, at now: Moment) -> [SplitDecision] {
        proven = trial.level
        self.trial = nil
        hold = Self.firstHold
        return [
            SplitDecision(tried: trial.base + 1...trial.level, gain: gain, verdict: .kept, level: proven)
        ]
    }

    private mutating func giveBack(_ trial: SplitTrial, gain: Double, at now: Moment) -> [SplitDecision] {
        end(trial, at: now)
        note = .moreDidNotHelp(connections: proven)
        return [
            SplitDecision(tried: trial.base + 1...trial.level, gain: gain, verdict: .givenBack, level: proven)
        ]
    }

    /// Back to the level below, and no further trial for a while.
    mutating func end(_ trial: SplitTrial, at now: Moment) {
        proven = trial.base
        self.trial = nil
        measuredSince = nil
        holdsUntil = now + hold
        hold = min(Self.longestHold, hold * 2)
    }

    /// A host that takes a connection and does not answer it has too many, too.
    private mutating func abandonUnanswered(_ trial: SplitTrial, at now: Moment) -> [SplitDecision] {
        guard (now - trial.beganAt).seconds >= Self.longestForAnswer else { return [] }
        let kept = max(1, min(trial.level, connections.values.count(where: \.hasMoved)))
        end(trial, at: now)
        // Those that bring bytes may stay; what they are worth is measured by the next trial.
        proven = max(trial.base, kept)
        note = .moreDidNotHelp(connections: proven)
        return [
            SplitDecision(
                tried: trial.base + 1...trial.level, gain: nil, verdict: .refused(.silence), level: proven)
        ]
    }

    /// A level is kept only when it is better by this.
    static let leastGain = 0.05
    /// Standard errors that make a gain clear, and the lack of one: to give back wrongly costs the hold, to keep wrongly only a
    /// connection.
    static let clearGain = 2.5
    static let clearLoss = 2.5
    /// Seconds. Less than this is a burst from buffers on the way.
    static let shortestMeasure = 0.06
    static let shortestForNoGain = 0.2
    /// Seconds after which the rhythm of a lumpy line is not waited for.
    static let longestForRhythm = 0.12
    static let longestMeasure = 2.0
    static let longestForAnswer = 4.0
    /// Seconds that the rest must take to be worth another connection.
    static let leastTimeLeft = 2.0
    /// The standard error of a rate that is measured for `shortestMeasure`, whatever its samples say.
    static let drift = 0.015
}
