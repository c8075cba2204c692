import WinchModel
import WinchProgress

/// The sums of a queue in one direction at one instant, to tell what a step did to them.
struct SumsSnapshot {
    private let completed: Int64
    private let total: Int64
    private let accurate: Double
    /// In the mode that the queue's bar counts in.
    private let shown: (completed: Int64, total: Int64, fraction: Double)
    /// The fraction of both directions together, in that mode.
    private let whole: Double
    /// What the fractions depend on besides the sums: the last transfer of a known size may come or go without a byte.
    private let makeup: Makeup

    private struct Makeup: Equatable {
        var count: Int
        var settled: Int
        var hasKnown: Bool
        var isEstimated: Bool
    }

    struct Step {
        /// Changes of the accurate sums.
        var completed: Int64
        var total: Int64
        /// Changes in the mode of the queue's bar.
        var shown: (completed: Int64, total: Int64)
        /// The completed bytes or the fraction fell: a rebase.
        var isBackwards: Bool
        /// The bar of the direction fell.
        var isShownBackwards: Bool
        /// The bar of both directions together fell, by what changed in this one.
        var isWholeBackwards: Bool

        static let nothing = Step(
            completed: 0, total: 0, shown: (0, 0), isBackwards: false, isShownBackwards: false,
            isWholeBackwards: false)

        var isNothing: Bool { completed == 0 && total == 0 && !isBackwards }

        func rebase(_ cause: Rebase.Cause, at now: Moment) -> Rebase {
            Rebase(cause: cause, at: now, completed: shown.completed, total: shown.total)
        }
    }

    /// - Parameters:
    ///   - accurate: the fraction in bytes, as shown.
    ///   - fraction: in `mode`.
    ///   - whole: of both directions together, in `mode`.
    init(_ progress: QueueProgress, mode: ProgressMode, accurate: Double, fraction: Double, whole: Double) {
        (completed, total) = (progress.completed, progress.total)
        (self.accurate, self.whole) = (accurate, whole)
        makeup = Makeup(
            count: progress.count, settled: progress.settled, hasKnown: progress.hasKnown,
            isEstimated: progress.isEstimated)
        let counted = progress.counted(in: mode)
        shown = (counted.completed, counted.total, fraction)
    }

    func step(to after: SumsSnapshot) -> Step {
        let isShownBackwards = after.shown.fraction < shown.fraction
        let isChanged =
            after.completed != completed || after.total != total || after.shown.completed != shown.completed
            || after.shown.total != shown.total || after.makeup != makeup
        let isWholeBackwards = after.whole < whole && (isChanged || isShownBackwards)
        return Step(
            completed: after.completed - completed, total: after.total - total,
            shown: (after.shown.completed - shown.completed, after.shown.total - shown.total),
            isBackwards: after.completed < completed || after.accurate < accurate || isShownBackwards
                || isWholeBackwards,
            isShownBackwards: isShownBackwards, isWholeBackwards: isWholeBackwards)
    }
}
