/// The mean rate of the present regime, growing surer as the regime grows older.
///
/// A interval of d seconds enters with the weight d / (share x age). With a share of 1 that is the plain mean since the
/// regime began, best if nothing ever changed; with 0.85 the past fades as age^0.18, which costs a steady stream little
/// and follows a slow drift. The memory is bounded by the time left as well: what was longer ago than four times that
/// says little of what is to come.
struct LongTermRate: Hashable, Sendable {
    /// Bytes a second.
    private(set) var rate: Double
    /// Active seconds in this regime, or what they count for.
    private(set) var age: Double

    private static let share = 0.85
    private static let timesLeft = 4.0
    /// Two seconds of memory keep the last moments steady; ten minutes follow the drift of a long transfer.
    private static let memories = 2.0...600.0
    /// After an interruption the path may have changed: what came before counts no more than four seconds do.
    private static let doubtedAge = 4.0
    /// While the stream leans away from its mean, the mean's age falls towards this: two seconds are a rate, no less.
    private static let leaningAge = 2.0

    init(rate: Double, age: Double = 0) {
        self.rate = rate
        self.age = age
    }

    /// - Parameter timeLeft: seconds; infinite when no end is known.
    mutating func take(_ interval: SampleInterval, timeLeft: Double) {
        age += interval.seconds
        let memory = min(max(Self.timesLeft * timeLeft, Self.memories.lowerBound), Self.memories.upperBound)
        let weight = max(interval.seconds / (Self.share * age), interval.seconds / memory)
        rate += min(1, weight) * (interval.rate - rate)
    }

    /// The stream was interrupted: its past counts for less.
    mutating func discountPast() {
        age = min(age, Self.doubtedAge)
    }

    /// The stream has differed from its mean, to one side, for `seconds` more.
    mutating func forget(_ seconds: Double) {
        if age > Self.leaningAge { age -= age * seconds / (Self.leaningAge + seconds) }
    }
}
