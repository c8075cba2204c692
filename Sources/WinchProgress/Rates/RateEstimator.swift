import Glibc
package import WinchModel

/// What moves now and when it will end, from (time, cumulative bytes) samples: a pure function of them.
///
/// Only samples move it on; reading changes nothing, so 1, 10 and 60 frames a second show the same figures. Each piece
/// says one thing: which time counts (`ActiveClock`, `StallDetector`), what the rate is (`LongTermRate`, and `StreamRates.shown` for the screen), how sure that is
/// (`RateDeviation`), when it is no longer true (`RateChangeDetector`, `SlowStart`), and which end is shown (`ShownTimeLeft`).
package struct RateEstimator: Hashable, Sendable {
    package private(set) var clock = ActiveClock()
    private(set) var stallDetector = StallDetector()
    private var cutter = IntervalCutter()
    private var have: Int64 = 0
    private(set) var slowStart = SlowStart()
    private var deviation = RateDeviation()
    private var detector = RateChangeDetector()
    private(set) var end = ShownTimeLeft()
    package private(set) var rates: StreamRates?

    /// A closed interval, and whether it began a new regime.
    struct Step {
        var interval: SampleInterval
        var isNewRegime: Bool
    }

    package init() {}

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - have: bytes so far, those from before included; fewer than before means that bytes were lost.
    ///   - total: `nil` while the size is unknown.
    package mutating func record(_ have: ByteCount, of total: ByteCount? = nil, at now: Moment) {
        let left = total.map { max(0, Double($0.bytes) - Double(have.bytes)) }
        guard let step = observe(have, left: left, at: now) else { return }
        aim(timeLeft: left.flatMap(time), after: step)
    }

    /// Nothing is asked for: time stands still until `resume`.
    package mutating func pause() {
        clock.pause()
        interrupt()
    }

    /// Bytes are asked for again; time counts from here.
    package mutating func resume(at now: Moment) { if clock.lastSample == nil { begin(with: have, at: now) } }

    /// Bytes are gone; `surviving` of them are left. Time stands still until more come.
    package mutating func lose(downTo surviving: ByteCount) {
        if let rate = rates?.regime.rate {
            end.postpone(by: max(0, Double(have) - Double(surviving.bytes)) / rate)
        }
        have = surviving.bytes
        clock.awaitSample()
        interrupt()
    }

    /// Learns rates from a sample.
    ///
    /// - Parameter left: bytes still to come, `nil` if unknown.
    /// - Returns: the interval that it closed, if it closed one.
    mutating func observe(_ have: ByteCount, left: Double?, at now: Moment) -> Step? {
        if have.bytes < self.have { lose(downTo: have) }
        guard let gap = clock.gap(to: now) else {
            self.have = have.bytes
            if !clock.isPaused { begin(with: have.bytes, at: now) }
            return nil
        }
        // Not an arrival: a stall goes on through any number of these.
        guard have.bytes > self.have else { return nil }
        self.have = have.bytes
        if stallDetector.takeGap(gap) {
            begin(with: have.bytes, at: now)
            interrupt()
            return nil
        }
        clock.advance(by: gap, to: now)
        return cutter.cut(at: clock.seconds, with: have.bytes).map { learn($0, left: left) }
    }

    private mutating func begin(with have: Int64, at now: Moment) {
        self.have = have
        clock.start(at: now)
        cutter.begin(at: clock.seconds, with: have)
        stallDetector.forgetRhythm()
    }

    private mutating func interrupt() {
        rates?.regime.discountPast()
        detector.reset()
    }

    private mutating func learn(_ interval: SampleInterval, left: Double?) -> Step {
        let seconds = interval.seconds
        var rates =
            self.rates
            ?? StreamRates(
                regime: LongTermRate(rate: interval.rate), fast: FadingMean(value: interval.rate),
                shown: FadingMean(value: interval.rate))
        defer { self.rates = rates }
        let timeLeft = min(left.map { $0 / rates.regime.rate } ?? Self.unknownTime, Self.unknownTime)
        rates.shown.blend(
            interval.rate, over: seconds, memory: min(StreamRates.shownMemory, rates.regime.age))
        rates.regime.take(interval, timeLeft: timeLeft)
        rates.fast.blend(interval.rate, over: seconds, memory: StreamRates.fastMemory)

        let fast = log(rates.fast.value)
        let mean = log(rates.regime.rate)
        deviation.take(fast - mean, over: seconds, age: rates.regime.age, total: clock.seconds)
        if deviation.isBiased { rates.regime.forget(seconds) }

        var change: SampleInterval?
        if slowStart.isOver {
            change = detector.take(
                interval, fast: fast, mean: mean, noise: deviation.noise(total: clock.seconds), timeLeft: timeLeft)
        } else if let steady = slowStart.take(interval, fast: rates.fast.value, at: clock.seconds) {
            change = steady
        } else if !slowStart.isOver {
            rates.regime = LongTermRate(rate: rates.fast.value, age: rates.regime.age)
        }
        if let change {
            rates.regime = LongTermRate(rate: change.rate, age: change.seconds)
            rates.fast.value = change.rate
            rates.shown.value = change.rate
            deviation.resetBias()
        }
        return Step(interval: interval, isNewRegime: change != nil || !slowStart.isOver)
    }

    /// An hour: more patience than this no change needs.
    private static let unknownTime = 3600.0
    /// While the window opens, the rate is too low and the time left too long; under four seconds that does no harm.
    private static let harmless = 4.0

    /// Says where the end would be by what is known after `step`.
    mutating func aim(timeLeft: Double?, after step: Step) {
        guard let plain = timeLeft else { return }
        let time = plain * stallDetector.factor(activeSeconds: clock.seconds)
        // Once shown, it is not taken away.
        guard slowStart.isOver || end.at != nil || time < Self.harmless else { return }
        let target = clock.seconds + time
        if step.isNewRegime {
            end.jump(to: target)
        } else {
            end.aim(at: target, timeLeft: time, after: step.interval.seconds)
        }
    }

    /// Seconds that `bytes` take at the regime's mean.
    func time(for bytes: Double) -> Double? { rates.map { bytes / $0.regime.rate } }
}

/// What is shown of a stream. Reading changes nothing.
extension RateEstimator {
    /// `nil` until enough was seen and in a pause; zero in a stall.
    package func rate(at now: Moment) -> ByteRate? {
        guard clock.lastSample != nil, let rates else { return nil }
        return stalledSince(at: now) == nil ? ByteRate(perSecond: rates.shown.value) : .zero
    }

    /// The mean of the present regime, whether bytes come just now or not.
    package var mean: ByteRate? { rates.map { ByteRate(perSecond: $0.regime.rate) } }

    /// Since when no byte has come, when that is longer than this stream's gaps are.
    package func stalledSince(at now: Moment) -> Moment? {
        guard let last = clock.lastSample, let gap = clock.gap(to: now), gap > stallDetector.limit else { return nil }
        return last
    }

    /// Seconds to the end; held while the stream is paused or stalled. `nil` without an honest answer.
    package func secondsLeft(at now: Moment) -> Double? {
        guard let end = end.at else { return nil }
        let gap = clock.gap(to: now) ?? 0
        let isStall = gap > stallDetector.limit && stallDetector.isRhythmKnown
        return max(0, end - clock.seconds - (isStall ? 0 : gap))
    }

    /// When the rest will have come; `nil` while nothing moves or too little was seen.
    ///
    /// - Parameter left: used while no sample told the total.
    package func finish(of left: ByteCount, at now: Moment) -> Moment? {
        guard clock.lastSample != nil, slowStart.isOver || end.at != nil, stalledSince(at: now) == nil else {
            return nil
        }
        let seconds = secondsLeft(at: now) ?? time(for: Double(max(0, left.bytes))) ?? .infinity
        return seconds < TimeLeftFormat.longest ? now + .seconds(seconds) : nil
    }
}

/// The rates of one stream, over longer and shorter times.
package struct StreamRates: Hashable, Sendable {
    /// The one that the time left is computed from.
    var regime: LongTermRate
    /// The moment's, to notice changes by: an interval and a half.
    var fast: FadingMean
    /// The one in a row and for the queue, without what was before the rate last changed for good.
    var shown: FadingMean

    static let fastMemory = 0.15
    /// Some four seconds, so that the digits can be read: half of it would react twice as fast.
    static let shownMemory = 4.0
}

/// The mean rate of the present regime, growing surer as the regime grows older.
///
/// A interval of d seconds enters with the weight d / (share x age). With a share of 1 that is the plain mean since the
/// regime began, best if nothing ever changed; with 0.85 the past fades as age^0.18, which costs a steady stream little
/// and follows a slow drift. The memory is bounded by the time left as well: what was longer ago than four times that
/// says little of what is to come.
struct LongTermRate: Hashable, Sendable {
    /// Bytes a second.
    private(set) var rate: Double
    /// Active seconds in this regime, or what they count for.
    private(set) var age = 0.0

    private static let share = 0.85
    private static let timesLeft = 4.0
    /// Two seconds of memory keep the last moments steady; ten minutes follow the drift of a long transfer.
    private static let memories = 2.0...600.0
    /// After an interruption the path may have changed: what came before counts no more than four seconds do.
    private static let doubtedAge = 4.0
    /// While the stream leans away from its mean, the mean's age falls towards this: two seconds are a rate, no less.
    private static let leaningAge = 2.0

    /// - Parameter timeLeft: seconds; infinite when no end is known.
    mutating func take(_ interval: SampleInterval, timeLeft: Double) {
        age += interval.seconds
        let memory = min(max(Self.timesLeft * timeLeft, Self.memories.lowerBound), Self.memories.upperBound)
        let weight = max(interval.seconds / (Self.share * age), interval.seconds / memory)
        rate += min(1, weight) * (interval.rate - rate)
    }

    /// The stream was interrupted: its past counts for less.
    mutating func discountPast() { age = min(age, Self.doubtedAge) }

    /// The stream has differed from its mean, to one side, for `seconds` more.
    mutating func forget(_ seconds: Double) {
        if age > Self.leaningAge { age -= age * seconds / (Self.leaningAge + seconds) }
    }
}

/// When a stream will end, as it is shown: the state is the end, not the time to it, so that a countdown counts.
///
/// Each interval says where the end would be by what is known then: the target. While the target stays within a dead
/// band, the end shown hardly moves; outside it, the end glides there. Only a change of regime makes it jump.
struct ShownTimeLeft: Hashable, Sendable {
    /// On the stream's active clock; seconds.
    private(set) var at: Double?

    /// The band: a quarter of the second that is shown, or 3% of the time left, below what is noticed.
    private static let leastBand = 0.25
    private static let band = 0.03
    /// Inside the band the end drifts, too slowly to skip a second: 3% of ten minutes in five.
    private static let drift = 300.0
    /// The glide takes a share of the time left: an end that is near is corrected at once.
    private static let glide = 0.06
    private static let glides = 0.65...10
    /// An end that is wrong by more than a quarter of the time left is worse than one that runs: the glide gets quicker.
    private static let excess = 0.25
    private static let speedUp = 3.0

    mutating func jump(to target: Double) { at = target }

    /// - Parameters:
    ///   - target: where the end would be by what is known now.
    ///   - timeLeft: seconds to it.
    ///   - seconds: active, since the last aim.
    mutating func aim(at target: Double, timeLeft: Double, after seconds: Double) {
        guard let shown = at else { return jump(to: target) }
        let error = abs(target - shown)
        var memory = Self.drift
        if error > max(Self.leastBand, Self.band * timeLeft) {
            memory = min(max(Self.glide * timeLeft, Self.glides.lowerBound), Self.glides.upperBound)
            memory /= 1 + Self.speedUp * max(0, error / max(timeLeft, 1) / Self.excess - 1)
        }
        var end = FadingMean(value: shown)
        end.blend(target, over: seconds, memory: memory)
        at = end.value
    }

    mutating func postpone(by seconds: Double) { at = at.map { $0 + seconds } }
}

/// A mean that forgets: what is older than `memory` seconds counts for little.
///
/// A value that held for d seconds enters with the weight d / (memory + d). For short steps that is the exponential
/// weight 1 - exp(-d / memory), and for long ones it stays below 1; it needs no exponential.
struct FadingMean: Hashable, Sendable {
    var value: Double

    mutating func blend(_ new: Double, over seconds: Double, memory: Double) {
        value += (new - value) * seconds / (memory + seconds)
    }
}

/// The seconds in which a stream could move: from its first sample on, without pauses and without stalls.
///
/// Rates are taken and ends foretold on this clock. A forecast on it needs no mending when a pause ends: it stood still
/// meanwhile, and so did the time left.
package struct ActiveClock: Hashable, Sendable {
    /// Active seconds up to the last sample.
    private(set) var seconds = 0.0
    private var state = State.awaiting

    private enum State: Hashable, Sendable {
        /// The next sample starts it: nothing came yet, or bytes were lost and none came since.
        case awaiting
        case running(since: Moment)
        /// Only `start` starts it again: samples in a pause are bytes that were under way.
        case paused
    }

    /// The last sample, while time is counted from it.
    package var lastSample: Moment? { if case .running(let since) = state { since } else { nil } }

    package var isPaused: Bool { state == .paused }

    /// Seconds since the last sample; `nil` while none are counted.
    func gap(to now: Moment) -> Double? { lastSample.map { max(0, Double(now.nanoseconds &- $0.nanoseconds) * 1e-9) } }

    mutating func advance(by gap: Double, to now: Moment) {
        seconds += gap
        start(at: now)
    }

    /// Time counts from here: the gap before it does not.
    mutating func start(at now: Moment) { state = .running(since: max(now, lastSample ?? now)) }

    mutating func awaitSample() { state = .awaiting }

    mutating func pause() { state = .paused }
}

/// A piece of a stream between two of its samples: so many bytes came in so many seconds of its clock.
struct SampleInterval: Hashable, Sendable {
    /// Positive.
    var seconds: Double
    /// Not negative; a real number, because only ratios are taken of it.
    var bytes: Double

    /// Bytes a second.
    var rate: Double { bytes / seconds }

    static let zero = SampleInterval(seconds: 0, bytes: 0)

    static func += (left: inout SampleInterval, right: SampleInterval) {
        left.seconds += right.seconds
        left.bytes += right.bytes
    }
}

/// Cuts a stream of samples into intervals, at samples and nowhere else: reading it, however often, changes nothing.
///
/// A interval ends at the first sample that is at least `shortest` after its begin. Ending at a sample, and not at a tick
/// of a grid, its length is exact: a grid of 0.1 s over chunks of 20 ms would see 4, 5 or 6 of them, 20% of noise that
/// the stream does not have.
package struct IntervalCutter: Hashable, Sendable {
    private var beganAt = 0.0
    private var beganWith: Int64 = 0

    /// 0.1 s: half of a delay that is noticed, and some ten chunks of a quick stream.
    private static let shortest = 0.1

    mutating func begin(at seconds: Double, with bytes: Int64) {
        beganAt = seconds
        beganWith = bytes
    }

    /// - Parameters:
    ///   - seconds: of the stream's clock, at this sample.
    ///   - bytes: cumulative.
    mutating func cut(at seconds: Double, with bytes: Int64) -> SampleInterval? {
        guard seconds - beganAt >= Self.shortest else { return nil }
        defer { begin(at: seconds, with: bytes) }
        return SampleInterval(seconds: seconds - beganAt, bytes: Double(bytes) - Double(beganWith))
    }
}
