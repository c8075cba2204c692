import WinchModel

/// More connections than are known to help.
struct SplitTrial: Sendable {
    /// Connections before, which are known to help.
    let base: Int
    /// Connections with those that are tried.
    var level: Int
    /// The rate at `base`; it is measured on until the first of the new connections brings a byte.
    var reference: LevelRate
    /// The connections at `base`, and their rate without those of other transfers, in bytes a second.
    let known: Set<Int>
    var knownRate: Double
    /// One of the new connections has brought a byte.
    var isReferenceFixed = false
    /// When the last of the levels above `base` was begun.
    var beganAt: Moment
    /// When all its connections had brought a byte; `nil`: not yet.
    var measuredSince: Moment?
    /// Bytes that had come from the host by then.
    var arrivedBefore = 0.0
    /// When the first level above `base` was complete: a decision is due some time after, even if it was never clear.
    var undecidedSince: Moment?
}

/// What the levels below the one that was kept brought, until that has been checked against them.
struct LevelCheck: Sendable {
    /// Rates in bytes a second.
    private var below: [(level: Int, rate: Double)] = []
    /// When the last level was kept.
    private(set) var since = Moment(nanoseconds: 0)
    /// Bytes that had come from the host by then.
    private(set) var arrived = 0.0

    /// A level was kept.
    mutating func note(_ trial: SplitTrial, at now: Moment, arrived: Double) {
        (since, self.arrived) = (now, arrived)
        below.removeAll { $0.level >= trial.base }
        // What was hardly measured tells nothing.
        guard trial.reference.noise <= SplitController.uselessReference else { return }
        below.append((trial.base, trial.reference.rate))
    }

    /// A further level was given back.
    mutating func restart(at now: Moment, arrived: Double) { (since, self.arrived) = (now, arrived) }

    /// The lowest of the levels whose rates are as good as the best; `nil`: none was measured.
    var best: (level: Int, rate: Double)? {
        guard let most = below.map(\.rate).max() else { return nil }
        return below.first { (1 + SplitController.leastGain) * $0.rate >= most }
    }
}

/// The whole rate of a host while one file had a certain number of connections.
struct LevelRate: Sendable {
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
