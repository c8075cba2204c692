import Glibc

/// How the total rate depends on the number of connections: by the exponent e of rate = c n^e.
///
/// 0: a line that they share, which one of them fills alone. 1: each is held to a rate of its own, by its server or by the
/// distance. It is found by least squares of the logarithms over the ticks of the meter, in which the number changes all
/// the time: files end, and the next wait for their first byte. Where it hardly changed a prior holds, half of each.
struct ConnectionScaling: Hashable, Sendable {
    private var weight = 0.0
    private var x = 0.0
    private var y = 0.0
    private var xx = 0.0
    private var xy = 0.0

    /// Ticks of a tenth of a second: half a minute of memory.
    private static let kept = 0.997
    private static let prior = 0.5
    /// Weight of the prior, as a sum of squares of ln n: ten seconds in which the number changes by a tenth have as much.
    private static let priorWeight = 0.3
    /// Below half a connection on average the tick was a pause.
    private static let least = 0.5

    /// - Parameters:
    ///   - connections: that moved bytes, on average over the tick.
    ///   - rate: bytes a second, of all.
    mutating func take(connections: Double, rate: Double) {
        guard connections >= Self.least, rate > 0 else { return }
        let (a, b) = (log(connections), log(rate))
        weight = weight * Self.kept + 1
        x = x * Self.kept + a
        y = y * Self.kept + b
        xx = xx * Self.kept + a * a
        xy = xy * Self.kept + a * b
    }

    /// 0...1.
    var exponent: Double {
        guard weight > 0 else { return Self.prior }
        let (variance, covariance) = (xx - x * x / weight, xy - x * y / weight)
        return min(1, max(0, (covariance + Self.priorWeight * Self.prior) / (variance + Self.priorWeight)))
    }
}
