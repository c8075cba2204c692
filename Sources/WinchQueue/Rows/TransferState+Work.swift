import WinchModel
import WinchProgress

extension TransferState {
    /// What attempts at a transfer, an earlier run or the user leave with it.
    struct Work: Emptiable {
        @HeapOptional var rebase: Rebase? = nil
        @HeapOptional var warning: TransferWarning? = nil
        @HeapOptional var resume: ResumePoint? = nil
        var mirror = 0
        @HeapOptional var estimator: RateEstimator? = nil
        @HeapDefault var history = AttemptHistory()
        @HeapOptional var held: Connections? = nil
        @HeapOptional var splitting: Splitting? = nil

        var isEmpty: Bool {
            _rebase.isNil && _warning.isNil && _resume.isNil && mirror == 0 && _estimator.isNil && _history.isNil
                && _held.isNil && _splitting.isNil
        }

        mutating func forgetHistory() { _history = HeapDefault(wrappedValue: AttemptHistory()) }
    }
}
