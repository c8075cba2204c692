import WinchModel

extension SessionRequest {
    /// The command for the chosen transfers; `nil`: the request is none for transfers.
    func command(for ids: [TransferID]) -> Command? {
        // Of all: those too that are added later.
        let isForAll = which == .all
        return switch action {
        case .pause: isForAll ? .pauseAll : .pause(ids)
        case .resume: isForAll ? .resumeAll : .resume(ids)
        case .retry: .retry(ids)
        case .cancel: .cancel(ids)
        case .remove: .remove(ids)
        case .follow, .status, .unfollow, .add, .limit, .limitUpload, .takeOver, .command, .stop: nil
        }
    }
}

extension SessionRequest.Action {
    /// What the queue does with a transfer in this phase: `TransferQueue.execute` does nothing with the others.
    func changes(_ phase: TransferPhase) -> Bool {
        switch self {
        case .pause:
            switch phase {
            case .waiting, .connecting, .requested, .moving, .replying, .backoff: true
            case .paused, .verifying, .finished, .failed, .cancelled: false
            }
        case .resume: phase == .paused
        case .retry:
            switch phase {
            case .failed, .cancelled, .backoff: true
            case .waiting, .connecting, .requested, .moving, .replying, .paused, .verifying, .finished: false
            }
        case .cancel:
            switch phase {
            case .finished, .cancelled: false
            default: true
            }
        case .remove:
            switch phase {
            case .finished, .failed, .cancelled: true
            default: false
            }
        case .follow, .status, .unfollow, .add, .limit, .limitUpload, .takeOver, .command, .stop: false
        }
    }
}

extension SessionRequest {
    /// None of the transfers that it names is changed by it: `nothing to pause: transfer 1 is finished`.
    func refusal(of rows: [TransferSnapshot]) -> SessionFailure {
        guard !rows.isEmpty else { return .refused("nothing to \(action.rawValue): no transfer is named") }
        let states = rows.prefix(3).map { "transfer \($0.id.number) \($0.phase.words)" }.joined(separator: ", ")
        return .refused("nothing to \(action.rawValue): \(states)\(rows.count > 3 ? " and more" : "")")
    }
}

extension TransferPhase {
    fileprivate var words: String {
        switch self {
        case .waiting: "waits"
        case .connecting, .requested, .moving, .replying: "runs"
        case .paused: "is paused"
        case .backoff: "waits for its next attempt"
        case .verifying: "is being finished"
        case .finished: "is finished"
        case .failed: "has failed"
        case .cancelled: "is cancelled"
        }
    }
}
