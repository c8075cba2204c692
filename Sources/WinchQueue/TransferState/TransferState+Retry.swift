import WinchModel

extension TransferState {
    /// The last attempt failed and the next waits for nothing but a slot.
    var retry: TransferSnapshot.Retry? {
        guard phase == .waiting, !awaitsSpace, let failure = history.lastFailure else { return nil }
        return TransferSnapshot.Retry(failure: failure, attempt: nextTry, limit: settings.maxTries)
    }

    /// The number of the next attempt as `--max-tries` counts: since bytes last came, without those that were no failures.
    var nextTry: Int { history.tries + 1 }
}
