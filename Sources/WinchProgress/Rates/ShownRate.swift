/// The rate that is shown in a row and for the queue: the mean of some four seconds, so that its digits can be read.
struct ShownRate: Hashable, Sendable {
    private var mean: FadingMean

    /// Seconds: half of it would react twice as fast.
    static let memory = 4.0

    /// - Parameter rate: bytes a second.
    init(_ rate: Double) { mean = FadingMean(value: rate) }

    /// Bytes a second.
    var value: Double { mean.value }

    /// Takes the rate of an interval.
    ///
    /// - Parameter age: seconds since the rate last changed for good; what was before that is left out.
    mutating func take(_ interval: SampleInterval, age: Double) {
        mean.blend(interval.rate, over: interval.seconds, memory: min(Self.memory, age))
    }
}
