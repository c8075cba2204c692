import WinchModel

/// More connections than are known to help.
struct SplitTrial: Hashable, Sendable {
    /// Connections before, which are known to help.
    let base: Int
    /// Connections with those that are tried.
    var level: Int
    /// The rate at `base`.
    let reference: LevelRate
    /// The connections at `base`, and their rate without those of other transfers, in bytes a second.
    let known: Set<Int>
    let knownRate: Double
    /// When the last of the levels above `base` was begun.
    var beganAt: Moment
    /// When all its connections had brought a byte; `nil`: not yet.
    var measuredSince: Moment?
    /// When the first level above `base` was complete: a decision is due some time after, even if it was never clear.
    var undecidedSince: Moment?
}
