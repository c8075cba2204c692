import Glibc

/// Notices that the stream has gone over to another rate: a new regime.
///
/// Two one-sided cumulative sums (Page, 1954), one for faster and one for slower, of
///
///     ln(fast / mean) / noise - allowance        per second,
///
/// held at zero or above. Mean and noise are those of when the sum left zero: the change itself must not blur them. A sum
/// of evidence above `alarm` noise-seconds is a change, if it is old enough that chance cannot have made it. Then the
/// new regime's mean is that of all bytes since the sum left zero.
struct RateChangeDetector: Hashable, Sendable {
    private var faster = Evidence(sign: 1)
    private var slower = Evidence(sign: -1)

    /// - Parameters:
    ///   - timeLeft: seconds; the more is left, the less a passing moment may change the forecast.
    /// - Returns: all that came since the change, once there is one.
    mutating func take(_ interval: SampleInterval, fast: Double, mean: Double, noise: Double, timeLeft: Double)
        -> SampleInterval?
    {
        let rootOfTimeLeft = timeLeft.squareRoot()
        let change =
            faster.take(interval, fast: fast, mean: mean, noise: noise, rootOfTimeLeft: rootOfTimeLeft)
            ?? slower.take(interval, fast: fast, mean: mean, noise: noise, rootOfTimeLeft: rootOfTimeLeft)
        if change != nil { reset() }
        return change
    }

    mutating func reset() {
        faster.clear()
        slower.clear()
    }

    /// One of the two sums.
    private struct Evidence: Hashable, Sendable {
        /// +1 or -1.
        let sign: Double
        private var sum = 0.0
        private var since = SampleInterval.zero
        private var first = 0.0
        private var count = 0
        /// When the sum left zero: ln of the mean, and the noise.
        private var mean = 0.0
        private var noise = 1.0

        /// In noises. The noise is a mean of absolute values, 0.8 of a standard deviation: five are four deviations, which
        /// a bell exceeds once in 15,000 intervals; real streams, whose noise is no bell, do more often.
        private static let allowance = 5.0
        /// Noises x seconds: for a doubling of a quiet stream, 30 noises above the allowance, less than 0.1 s.
        private static let alarm = 2.0
        /// A change must have lasted 0.2 s, and longer in a noisy stream, whose waves last some seconds,
        private static let leastAge = 0.2
        private static let agePerNoise = 3.0
        /// and the longer the more is left: with an hour to go a change need not be known within the second.
        private static let agePerRootOfTimeLeft = 0.2
        /// One interval is an accident, and so are two.
        private static let leastIntervals = 3
        /// A interval of the new regime differs from the old mean by more than twice the noise. One that does not refutes
        /// the change: a hiccup of half a second, or the burst that makes up for it, is over by then.
        private static let refutation = 2.0

        init(sign: Double) { self.sign = sign }

        mutating func clear() { sum = 0 }

        /// - Parameters:
        ///   - fast: ln of the fast rate; `mean`: ln of the regime's.
        mutating func take(
            _ interval: SampleInterval, fast: Double, mean: Double, noise: Double, rootOfTimeLeft: Double
        ) -> SampleInterval? {
            if sum <= 0 {
                self.mean = mean
                self.noise = noise
                since = .zero
                count = 0
            }
            sum += (sign * (fast - self.mean) / self.noise - Self.allowance) * interval.seconds
            guard sum > 0, sign * (log(interval.rate) - self.mean) > Self.refutation * self.noise else {
                sum = 0
                return nil
            }
            // The first interval lies across the change: it shows it, but is of neither regime.
            if count > 0 { since += interval } else { first = interval.seconds }
            count += 1
            let age = Self.leastAge + self.noise * (Self.agePerNoise + Self.agePerRootOfTimeLeft * rootOfTimeLeft)
            return sum > Self.alarm && count >= Self.leastIntervals && first + since.seconds >= age ? since : nil
        }
    }
}

/// How the rate of the moment differs from the mean: by how much (scatter), and rather to one side (lean).
///
/// Both are of ln(fast / mean), so that twice and half count alike. The scatter is measured around the lean: a stream that
/// climbs steadily is not noisy.
struct RateDeviation: Hashable, Sendable {
    private var scatter = FadingMean(value: firstScatter)
    private var bias = FadingMean(value: 0)

    /// A new stream may jump by a third. With real figures this fades over the first seconds.
    private static let firstScatter = 0.3
    /// Seconds of the scatter's memory: several waves of a radio link, which last a second or two; fewer while few were
    /// seen.
    private static let memory = 6.0
    private static let firstMemory = 0.6
    /// The lean is looked at for longer, so that such waves cancel out.
    private static let biasMemory = 20.0
    /// One outlier counts for no more than this: three times the scatter, and a hundredth to start from.
    private static let clip = 3.0
    private static let clipStart = 0.01
    /// No stream is trusted to keep within less: a interval holds some ten chunks, of which one may come late.
    private static let least = 0.02
    /// Added while the stream is young, fading as 1 / (1 + t)^2: bursts of a second or two are not known yet.
    private static let newStreamNoise = 0.4
    /// A lean above the scatter itself is none of its making: the mean of n scattered values is 1 / sqrt n of it.
    private static let biasPerScatter = 1.3
    private static let biasFloor = 0.02

    /// - Parameters:
    ///   - deviation: ln(fast / mean).
    ///   - age: of the regime, in seconds.
    ///   - total: active seconds in all.
    mutating func take(_ deviation: Double, over seconds: Double, age: Double, total: Double) {
        let limit = Self.clip * scatter.value + Self.clipStart
        let scattered = min(abs(deviation - bias.value), limit)
        scatter.blend(scattered, over: seconds, memory: min(Self.memory, Self.firstMemory + total))
        bias.blend(deviation, over: seconds, memory: min(Self.biasMemory, age))
    }

    /// The noise to judge a change by, as a share of the rate.
    func noise(total: Double) -> Double {
        max(scatter.value, Self.least) + Self.newStreamNoise / ((1 + total) * (1 + total))
    }

    /// The mean is beside the stream, for longer than scatter explains.
    var isBiased: Bool { abs(bias.value) > Self.biasPerScatter * scatter.value + Self.biasFloor }

    /// A new regime has a mean of its own.
    mutating func resetBias() { bias.value = 0 }
}

/// The first seconds of a connection, while its window still opens: each round trip brings more than the one before.
///
/// A mean over them is not the rate of anything. So nothing is foretold while the rate of the moment keeps setting new
/// highs, and what came before the last of them is forgotten then.
package struct SlowStart: Hashable, Sendable {
    /// The rate of the last new high, and when it was; active seconds.
    private var high = 0.0
    private var highAt = 0.0
    private var firstAt: Double?
    private var since = SampleInterval.zero
    private(set) var isOver = false

    /// A new high is one by more than a quarter: windows double with each round trip, and grow by half at the least.
    private static let growth = 1.28
    /// No new high for 0.3 s: longer than most round trips.
    private static let longestPlateau = 0.3
    /// Longer than this it is not a start.
    private static let longest = 6.0

    /// - Parameters:
    ///   - fast: the rate of the moment.
    ///   - now: active seconds.
    /// - Returns: when it ends after highs: what came since the last of them.
    mutating func take(_ interval: SampleInterval, fast: Double, at now: Double) -> SampleInterval? {
        if fast > high * Self.growth {
            firstAt = firstAt ?? now
            high = fast
            highAt = now
            since = .zero
        } else {
            since += interval
        }
        isOver = now - highAt > Self.longestPlateau || now > Self.longest
        return isOver && firstAt != highAt && since.seconds > 0 ? since : nil
    }
}
