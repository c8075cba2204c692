import WinchModel

/// The selected row and the state of the queue, from which follows which keys would have an effect.
struct KeyApplicability {
    var selected: TransferSnapshot?
    let totals: QueueTotals
    /// Number of tagged transfers. If there are any, keys act on them instead of the selected row; a key that would
    /// have no effect says so.
    var tagged = 0
    var areDetailsOpen = false
    /// The queue is that of a session.
    var isAttached = false
    var isFleet = false

    func satisfies(_ condition: KeyMap.Condition) -> Bool {
        switch condition {
        case .always: true
        case .anyTagged: tagged > 0
        case .anyUndoable: totals.restorable > 0
        case .selectedCanPause where tagged > 0, .selectedCanCancel where tagged > 0: !totals.allSettled
        case .selectedCanResume where tagged > 0: false
        case .selectedCanRetry where tagged > 0: totals.failed + totals.cancelled + totals.backoff > 0
        case .selectedCanRemove where tagged > 0: totals.settled > 0
        case .selectedCanRemove: selected?.phase.isSettled ?? false
        case .selectedCanPause: selected.map(isPausable) ?? false
        case .selectedCanResume: selected.map(isResumable) ?? false
        case .selectedCanCancel: selected.map { !$0.phase.isSettled } ?? false
        case .selectedCanRetry: selected.map(isRetryable) ?? false
        case .selectedCanMove where tagged > 0: totals.finished < totals.count
        // A failed or cancelled transfer can be retried, and then its place in the queue counts.
        case .selectedCanMove: selected.map { !ListTab.done.contains($0.phase) } ?? false
        case .selectedCanChangeURL: selected.map(isReaddressable) ?? false
        case .anyUnsettled: !totals.allSettled && !isAllPaused
        case .allPaused: !totals.allSettled && isAllPaused
        case .anyFailed: totals.failed > 0
        case .anyFinished: totals.finished > 0
        case .anyRows: totals.count > 0
        case .detailsOpen: areDetailsOpen
        case .detailsOpenCanChangeURL: areDetailsOpen && satisfies(.selectedCanChangeURL)
        case .detailsClosed: selected != nil && !areDetailsOpen
        case .countsBytes: totals.count > 0 && totals.mode == .accurate
        case .countsFiles: totals.count > 0 && totals.mode == .simple
        case .ownRun: !isAttached
        case .attached: isAttached && !isFleet
        case .fleet: isFleet
        }
    }

    /// No transfer runs or would start by itself.
    private var isAllPaused: Bool {
        totals.isHeld || (totals.active == 0 && totals.waiting == 0 && totals.backoff == 0 && totals.paused > 0)
    }

    private func isPausable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .waiting, .connecting, .requested, .moving, .backoff, .replying: !isResumable(row)
        // A file that is being verified is complete.
        case .verifying, .paused, .finished, .failed, .cancelled: false
        }
    }

    /// A download that is not complete: its remaining bytes could come from another URL.
    private func isReaddressable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .waiting, .connecting, .requested, .moving, .paused, .backoff, .failed: row.direction == .down
        case .replying, .verifying, .finished, .cancelled: false
        }
    }

    private func isResumable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .paused, .waiting(.held): true
        case .waiting(.slot), .waiting(.hostSlot), .waiting(.sizing), .waiting(.space), .connecting, .requested,
            .moving, .backoff,
            .replying, .verifying,
            .finished, .failed, .cancelled:
            false
        }
    }

    private func isRetryable(_ row: TransferSnapshot) -> Bool {
        switch row.phase {
        case .failed, .cancelled, .backoff: true
        case .waiting, .connecting, .requested, .moving, .paused, .replying, .verifying, .finished: false
        }
    }
}

extension TransferPhase {
    /// Why a key does nothing here: `it is done`.
    var inapplicableReason: String {
        switch self {
        case .waiting: "it is waiting"
        case .connecting, .requested, .moving, .replying: "it is active"
        case .paused: "it is paused; p resumes it"
        case .backoff: "it will be retried by itself"
        case .verifying: "it is complete and being checked"
        case .finished: "it is done"
        case .failed: "it has failed; r retries"
        case .cancelled: "it was cancelled; r starts it again"
        }
    }
}
