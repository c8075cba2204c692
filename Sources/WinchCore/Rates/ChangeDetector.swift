/// Notices that the stream has gone over to another rate: a new regime.
///
/// Two one-sided cumulative sums (Page, 1954), one for faster and one for slower, of
///
///     ln(fast / mean) / noise - allowance        per second,
///
/// held at zero or above. Mean and noise are those of when the sum left zero: the change itself must not blur them. A sum
/// of evidence above `alarm` noise-seconds is a change, if it is old enough that chance cannot have made it. Then the
/// new regime's mean is that of all bytes since the sum left zero.
struct ChangeDetector: Hashable, Sendable {
    private var faster = Evidence(sign: 1)
    private var slower = Evidence(sign: -1)

    /// - Parameters:
    ///   - timeLeft: seconds; the more is left, the less a passing moment may change the forecast.
    /// - Returns: all that came since the change, once there is one.
    mutating func take(_ stretch: Stretch, fast: Double, mean: Double, noise: Double, timeLeft: Double) -> Stretch? {
        let patience = timeLeft.squareRoot()
        let change =
            faster.take(stretch, fast: fast, mean: mean, noise: noise, patience: patience)
            ?? slower.take(stretch, fast: fast, mean: mean, noise: noise, patience: patience)
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
        private var since = Stretch.zero
        private var count = 0
        /// When the sum left zero: ln of the mean, and the noise.
        private var mean = 0.0
        private var noise = 1.0

        /// In noises. Scatter is a mean of absolute values, so a normal deviate exceeds 5 of them once in 15,000 times;
        /// real streams, whose noise is no bell, far more often.
        private static let allowance = 4.8
        /// Noises x seconds: at a doubling of a quiet stream a fifth of a second.
        private static let alarm = 3.0
        /// A change must have lasted 0.3 s, and longer in a noisy stream: its waves last some seconds.
        private static let leastAge = 0.3
        private static let agePerNoise = 6.0
        /// And longer the more is left: what costs a second of attention after a minute costs a minute after an hour.
        private static let agePerPatience = 0.2
        /// One stretch is an accident, three in a row happen.
        private static let leastStretches = 4
        /// A stretch of the new regime differs from the old mean by more than twice the noise. One that does not refutes
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
            _ stretch: Stretch, fast: Double, mean: Double, noise: Double, patience: Double
        ) -> Stretch? {
            if sum <= 0 {
                self.mean = mean
                self.noise = noise
                since = .zero
                count = 0
            }
            sum += (sign * (fast - self.mean) / self.noise - Self.allowance) * stretch.seconds
            guard sum > 0, sign * (naturalLogarithm(stretch.rate) - self.mean) > Self.refutation * self.noise else {
                sum = 0
                return nil
            }
            since += stretch
            count += 1
            let age = Self.leastAge + self.noise * (Self.agePerNoise + Self.agePerPatience * patience)
            return sum > Self.alarm && count >= Self.leastStretches && since.seconds >= age ? since : nil
        }
    }
}
