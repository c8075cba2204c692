package import WinchModel

/// The fraction of a bar in bytes as it is shown. Where guesses of sizes turn out too small, the exact one would run back
/// time and again by little; the bar stands still instead, until the bytes have caught up or too much is wrong.
package struct ShownFraction: Hashable, Sendable {
    private var value = 0.0
    /// The exact one that `value` was made of.
    private var exact = 0.0

    package init() {}

    /// A bar that shows more than a tenth too much is set right at once, with the cause.
    private static let most = 0.1

    /// - Parameter cause: of the step, should the fraction have fallen in it.
    package mutating func move(to new: Fraction, _ progress: QueueProgress, _ cause: Rebase.Cause) {
        let fallen = max(0, exact - new.value)
        exact = new.value
        if progress.isIndeterminate {
            // Nothing is known: the guesses are not shown, and the bar must not fall back from them later.
            value = min(value, new.value)
        } else if !progress.isEstimated || new.value >= value || value - new.value > Self.most {
            value = new.value
        } else if !cause.isGuess {
            value = max(new.value, value - fallen)
        }
    }

    package func shown(_ exact: Fraction) -> Fraction {
        exact.value == value || exact.value >= 1 ? exact : Fraction(held: value)
    }
}

extension Rebase.Cause {
    /// A guess was too small.
    fileprivate var isGuess: Bool {
        switch self {
        case .guessOutgrown, .sizeLearned: true
        case .rangeIgnored, .rangeStartedEarlier, .fileChanged, .rangeRefused, .outgrown, .lostOnRetry, .wrongPiece,
            .sentAgain, .appendRefused, .remoteSizeUnknown, .remoteBytesDiffer, .remoteFileGone, .retried, .added,
            .removed, .modeChanged:
            false
        }
    }
}
