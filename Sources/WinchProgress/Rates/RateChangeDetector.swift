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

        init(sign: Double) {
            self.sign = sign
        }

        mutating func clear() {
            sum = 0
        }

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
