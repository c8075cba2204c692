import WinchCore

/// What is selected and how the queue stands: decides which keys would act.
struct Situation {
    var selected: RowState?
    let totals: QueueTotals
    /// Tagged transfers; keys act on them then, whatever is selected, and say so when there is nothing to do.
    var tagged = 0

    func satisfies(_ condition: KeyMap.Condition) -> Bool {
        switch condition {
        case .always: true
        case .anyTagged: tagged > 0
        case .anyRemoved: totals.restorable > 0
        case .selectedCanPause where tagged > 0, .selectedCanCancel where tagged > 0: !totals.allSettled
        case .selectedCanResume where tagged > 0: false
        case .selectedCanRetry where tagged > 0: totals.failed + totals.cancelled + totals.backoff > 0
        case .selectedCanRemove where tagged > 0: totals.settled > 0
        case .selectedCanRemove: selected?.phase.isSettled ?? false
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
