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
    mutating func resetBias() {
        bias.value = 0
    }
}
