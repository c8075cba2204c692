import WinchModel

extension TransferState {
    /// The last attempt failed and the next waits for nothing but a slot.
    var retry: TransferSnapshot.Retry? {
        guard phase == .waiting, !awaitsSpace, let failure = history.lastFailure else { return nil }
        return TransferSnapshot.Retry(failure: failure, attempt: attemptsMade + 1, limit: lastAttempt)
    }

    /// Number of the last attempt that is made if none gets any further; 0: there is no last.
    var lastAttempt: Int {
        settings.maxTries == 0 ? 0 : attemptsMade + max(1, settings.maxTries - history.tries)
    }
}
