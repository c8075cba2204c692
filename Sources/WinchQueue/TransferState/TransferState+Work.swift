import WinchModel
import WinchProgress

extension TransferState {
    /// What attempts at a transfer, an earlier run or the user leave with it.
    struct Work: Emptiable, Sendable {
        @HeapDefault var rebase: Rebase? = nil
        @HeapDefault var warning: TransferWarning? = nil
        @HeapDefault var resume: ResumePoint? = nil
        var mirror = 0
        @HeapDefault var estimator: RateEstimator? = nil
        @HeapDefault var history = AttemptHistory()
        @HeapDefault var connections = Connections()
        @HeapDefault var splitting: Splitting? = nil

        static let emptyBox = HeapBox(Self())

        var isEmpty: Bool {
            _rebase.isNil && _warning.isNil && _resume.isNil && mirror == 0 && _estimator.isNil && _history.isNil
                && _connections.isNil && _splitting.isNil
        }

        mutating func forgetHistory() { _history = HeapDefault(wrappedValue: AttemptHistory()) }
    }
}

extension Rebase: RarelyPresent {
    static let noneBox = HeapBox(Self?.none)
}

extension TransferWarning: RarelyPresent {
    static let noneBox = HeapBox(Self?.none)
}

extension ResumePoint: RarelyPresent {
    static let noneBox = HeapBox(Self?.none)
}

extension RateEstimator: RarelyPresent {
    static let noneBox = HeapBox(Self?.none)
}

extension Splitting: RarelyPresent {
    static let noneBox = HeapBox(Self?.none)
}
