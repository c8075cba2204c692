import Glibc
package import WinchModel

/// What moves now and when it will end, from (time, cumulative bytes) samples: a pure function of them.
///
/// Only samples move it on; reading changes nothing, so 1, 10 and 60 frames a second show the same figures. Each piece
/// says one thing: which time counts (`ActiveClock`, `StallDetector`), what the rate is (`LongTermRate`, and `ShownRate` for the screen), how sure that is
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
    package mutating func resume(at now: Moment) {
        if clock.lastSample == nil { begin(with: have, at: now) }
    }

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
                shown: ShownRate(interval.rate))
        defer { self.rates = rates }
        let timeLeft = min(left.map { $0 / rates.regime.rate } ?? Self.unknownTime, Self.unknownTime)
        rates.shown.take(interval, age: rates.regime.age)
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
            rates.shown = ShownRate(change.rate)
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
    func time(for bytes: Double) -> Double? {
        rates.map { bytes / $0.regime.rate }
    }
}
