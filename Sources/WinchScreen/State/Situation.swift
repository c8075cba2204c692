import WinchCore

/// What is selected and how the queue stands: decides which keys would act.
struct Situation {
    let selected: RowState?
    let totals: QueueTotals

    func satisfies(_ condition: KeyMap.Condition) -> Bool {
        switch condition {
        case .always: true
        case .selectedCanPause: selected.map { !$0.phase.isSettled && !isResumable($0) } ?? false
        case .selectedCanResume: selected.map(isResumable) ?? false
        case .selectedCanCancel: selected.map { !$0.phase.isSettled } ?? false
        case .selectedCanRetry: selected.map(isRetryable) ?? false
        case .anyUnsettled: !totals.allSettled && !isAllPaused
        case .allPaused: !totals.allSettled && isAllPaused
        case .anyFailed: totals.failed > 0
        case .anyRows: totals.count > 0
        }
    }

    /// Nothing runs nor would run by itself.
    private var isAllPaused: Bool {
        totals.isHeld || (totals.active == 0 && totals.waiting == 0 && totals.backoff == 0 && totals.paused > 0)
    }

    private func isResumable(_ row: RowState) -> Bool {
        switch row.phase {
        case .paused, .waiting(.held): true
        case .waiting(.slot), .waiting(.hostSlot), .waiting(.sizing), .waiting(.space), .connecting, .requested,
            .moving, .backoff,
            .replying, .verifying,
            .finished, .failed, .cancelled:
            false
        }
    }

    private func isRetryable(_ row: RowState) -> Bool {
        switch row.phase {
        case .failed, .cancelled, .backoff: true
        case .waiting, .connecting, .requested, .moving, .paused, .replying, .verifying, .finished: false
        }
    }
}
