/// The whole rate of a host while one file had a certain number of connections.
struct LevelRate: Hashable, Sendable {
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
