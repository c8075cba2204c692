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

    mutating func jump(to target: Double) {
        at = target
    }

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

    mutating func postpone(by seconds: Double) {
        at = at.map { $0 + seconds }
    }
}
