/// How the rate of the moment differs from the mean: by how much (scatter), and rather to one side (lean).
///
/// Both are of ln(fast / mean), so that twice and half count alike. The scatter is measured around the lean: a stream that
/// climbs steadily is not noisy.
struct Misfit: Hashable, Sendable {
    private var scatter = FadingMean(value: firstScatter)
    private var lean = FadingMean(value: 0)

    /// A stranger may jump by a third. With real figures this fades over the first seconds.
    private static let firstScatter = 0.3
    /// Seconds of the scatter's memory: as many as a person would look at; fewer while few were seen.
    private static let memory = 6.0
    private static let firstMemory = 1.5
    /// The lean is looked at for longer, so that the waves of a radio link cancel out.
    private static let leanMemory = 16.0
    /// One outlier cannot do more than this: three times the scatter, and 3% to start from.
    private static let clip = 3.0
    private static let clipStart = 0.03
    /// No stream is trusted to keep within less.
    private static let least = 0.025
    /// Added while the stream is young, fading as 1 / (1 + t)^2: bursts of a second or two are not known yet.
    private static let youth = 0.5
    private static let leanStart = 0.02

    /// - Parameters:
    ///   - misfit: ln(fast / mean).
    ///   - age: of the regime, in seconds.
    ///   - total: active seconds in all.
    mutating func take(_ misfit: Double, over seconds: Double, age: Double, total: Double) {
        let limit = Self.clip * scatter.value + Self.clipStart
        let deviation = min(abs(misfit - lean.value), limit)
        scatter.blend(deviation, over: seconds, memory: min(Self.memory, Self.firstMemory + total))
        lean.blend(misfit, over: seconds, memory: min(Self.leanMemory, age))
    }

    /// The noise to judge a change by, as a share of the rate.
    func noise(total: Double) -> Double {
        max(scatter.value, Self.least) + Self.youth / ((1 + total) * (1 + total))
    }

    /// The mean is beside the stream, for longer than scatter explains: the lean exceeds the scatter itself.
    var isLeaning: Bool { abs(lean.value) > scatter.value + Self.leanStart }

    /// A new regime has a mean of its own.
    mutating func straighten() {
        lean.value = 0
    }
}
